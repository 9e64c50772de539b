#include "core/engine/support/blas_outputs.hpp"
#include "core/engine/support/library_bodies.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

using Output = BlasOutputs::Output;

constexpr unsigned none = ~0U;
constexpr int row_major = 101, no_transpose = 111; // cblas.h

constexpr Output second_of_two[] = {{0, none, 3, 4}}, second_with_factor[] = {{0, none, 4, 5}},
                 only_with_factor[] = {{0, none, 2, 3}}, both[] = {{0, none, 1, 2}, {0, none, 3, 4}},
                 of_gemv[] = {{2, none, 10, 11}}, of_symv[] = {{2, none, 9, 10}}, of_ger[] = {{1, 2, 8, 9}},
                 of_syr[] = {{2, 2, 6, 7}}, of_syr2[] = {{2, 2, 8, 9}}, of_triangular_vector[] = {{4, none, 7, 8}},
                 of_gemm[] = {{3, 4, 12, 13}}, of_symm[] = {{3, 4, 11, 12}}, of_syrk[] = {{3, 3, 9, 10}},
                 of_syr2k[] = {{3, 3, 11, 12}}, of_triangular_matrix[] = {{5, 6, 10, 11}}, of_potrf[] = {{2, 2, 3, 4}},
                 of_potrs[] = {{2, 3, 6, 7}}, of_posv[] = {{2, 2, 4, 5}, {2, 3, 6, 7}}, of_getrf[] = {{1, 2, 3, 4}},
                 of_getrs[] = {{2, 3, 7, 8}}, of_gesv[] = {{1, 1, 3, 4}, {1, 2, 6, 7}}, of_trtrs[] = {{4, 5, 8, 9}},
                 of_trtri[] = {{3, 3, 4, 5}}, of_getri[] = {{1, 1, 2, 3}};

struct Routine {
  StringLiteral name; ///< Without the letter of the type.
  ArrayRef<Output> outputs;
  bool has_order;
};

constexpr Routine routines[] = {{"axpy", second_with_factor, false},
                                {"scal", only_with_factor, false},
                                {"copy", second_of_two, false},
                                {"swap", both, false},
                                {"rot", both, false},
                                {"gemv", of_gemv, true},
                                {"symv", of_symv, true},
                                {"ger", of_ger, true},
                                {"syr", of_syr, true},
                                {"syr2", of_syr2, true},
                                {"trsv", of_triangular_vector, true},
                                {"trmv", of_triangular_vector, true},
                                {"gemm", of_gemm, true},
                                {"symm", of_symm, true},
                                {"syrk", of_syrk, true},
                                {"syr2k", of_syr2k, true},
                                {"trsm", of_triangular_matrix, true},
                                {"trmm", of_triangular_matrix, true},
                                {"potrf", of_potrf, true},
                                {"potrs", of_potrs, true},
                                {"posv", of_posv, true},
                                {"getrf", of_getrf, true},
                                {"getrs", of_getrs, true},
                                {"gesv", of_gesv, true},
                                {"trtrs", of_trtrs, true},
                                {"trtri", of_trtri, true},
                                {"getri", of_getri, true},
                                {"potri", of_potrf, true}};

} // namespace

BlasOutputs::BlasOutputs(StringRef function) {
  is_fortran_ = !function.consume_front("cblas_") && !function.consume_front("LAPACKE_");
  if (is_fortran_)
    function.consume_back("_");
  const StringRef name = function.drop_front();
  const Routine *routine = find_if(routines, [&](const Routine &each) { return each.name == name; });
  if (routine == std::end(routines))
    return;
  outputs_ = routine->outputs;
  has_order_ = routine->has_order;
  is_turned_by_option_ = name == "gemv";
  number_bytes_ = function.front() == 'd' ? 8 : 4;
}

void BlasOutputs::promise_no_overlap(Function &function) const {
  for (const Output &output : outputs_)
    function.addParamAttr(own_index(output.address), Attribute::NoAlias);
}

Value *BlasOutputs::argument(ArrayRef<Value *> arguments, unsigned index) const {
  return arguments[own_index(index)];
}

Value *BlasOutputs::integer(IRBuilder<> &builder, ArrayRef<Value *> arguments, unsigned index) const {
  Value *value = argument(arguments, index);
  if (is_fortran_)
    value = builder.CreateLoad(builder.getInt32Ty(), value);
  return builder.CreateSExtOrTrunc(value, builder.getInt64Ty());
}

Value *BlasOutputs::rows_of(IRBuilder<> &builder, ArrayRef<Value *> arguments, const Output &output) const {
  Value *rows = integer(builder, arguments, output.rows);
  if (!is_turned_by_option_)
    return rows;
  constexpr unsigned option = 1;
  Value *is_plain = nullptr;
  if (is_fortran_) {
    constexpr char lower_case = 0x20;
    Value *letter = builder.CreateLoad(builder.getInt8Ty(), argument(arguments, option));
    is_plain = builder.CreateICmpEQ(builder.CreateOr(letter, builder.getInt8(lower_case)), builder.getInt8('n'));
  } else {
    is_plain = builder.CreateICmpEQ(integer(builder, arguments, option), builder.getInt64(no_transpose));
  }
  return builder.CreateSelect(is_plain, rows, integer(builder, arguments, output.rows + 1));
}

Value *BlasOutputs::move(IRBuilder<> &builder, ArrayRef<Value *> arguments, Value *kept, bool back) const {
  Module &module = *builder.GetInsertBlock()->getModule();
  Value *bytes = builder.getInt64(0);
  const bool only_counts = isa<ConstantPointerNull>(kept);
  for (const Output &output : outputs_) {
    Value *rows = rows_of(builder, arguments, output), *address = argument(arguments, output.address),
          *step = integer(builder, arguments, output.step), *size = builder.getInt64(number_bytes_),
          *place = only_counts ? kept : builder.CreateGEP(builder.getInt8Ty(), kept, bytes);
    Value *moved = nullptr;
    if (output.columns == none) {
      moved = builder.CreateCall(library_helper(module, "assay_move_vector"),
                                 {rows, address, step, size, place, builder.getInt1(back)});
    } else {
      Value *by_rows = is_fortran_ ? builder.getFalse()
                                   : builder.CreateICmpEQ(integer(builder, arguments, 0), builder.getInt64(row_major));
      moved = builder.CreateCall(library_helper(module, "assay_move_matrix"),
                                 {rows, integer(builder, arguments, output.columns), by_rows, address, step, size,
                                  place, builder.getInt1(back)});
    }
    bytes = builder.CreateAdd(bytes, moved);
  }
  return bytes;
}

} // namespace assay::engine
