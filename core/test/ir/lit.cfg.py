# Tests of single passes on IR text, as LLVM has them: ctest runs them, a folder at a time, and
# `lit-22 --param build=build/release core/test/ir/prepare/byte-loops.ll` runs one.
#
# A file has the name of the pass that it tests: prepare/NAME.ll belongs to assay-prepare<NAME>, tidy/NAME.ll to
# assay-tidy<NAME>. It holds code that the pass changes and code that it leaves as it is.
import os

import lit.formats

config.name = "assay-ir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)

build = os.path.abspath(lit_config.params.get("build", "build/release"))
config.test_exec_root = os.path.join(build, "core", "test", "ir")
plugin = lit_config.params.get("plugin", os.path.join(build, "lib", "assay-plugin.so"))
opt = lit_config.params.get("opt", "opt-22")
filecheck = lit_config.params.get("filecheck", "FileCheck-22")
config.substitutions += [
    ("%opt", f"{opt} -load-pass-plugin={plugin} -S"),
    ("%check", filecheck),
]
