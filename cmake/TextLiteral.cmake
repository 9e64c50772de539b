# cmake -DTEXT=file -DLITERAL=file -P TextLiteral.cmake: the text as a C++ string literal, to be included.
file(READ "${TEXT}" text)
file(WRITE "${LITERAL}" "R\"assay(${text})assay\"\n")
