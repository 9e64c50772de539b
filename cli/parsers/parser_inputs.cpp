#include "cli/parsers/parser_inputs.hpp"

#include "cli/object_spec.hpp"
#include "cli/project_file.hpp"
#include "core/jit/argument_spec.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/module_file.hpp"
#include "core/jit/scratch_folder.hpp"
#include "reports/json_lines.hpp"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <fstream>
#include <stdexcept>

namespace assay::cli {

namespace {

/// In a folder that stays, so that thousands of inputs need no thousands of folders.
std::string file_with(const char *name, std::string_view bytes) {
  static const jit::ScratchFolder scratch;
  const std::string file = scratch.file(name);
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

/// A spec that is taken is written and read as itself.
bool read_argument(std::string_view input) {
  try {
    const std::string text = jit::to_string(jit::parse_argument_spec(input, {"n", "lda"}));
    if (jit::to_string(jit::parse_argument_spec(text, {"n", "lda"})) != text) // NaN is in no spec that equals itself.
      throw std::logic_error("a spec is read back as another one: " + text);
    return true;
  } catch (const jit::SpecError &) {
    return false;
  }
}

bool read_object(std::string_view input) {
  try {
    parse_object_spec(std::string(input));
    return true;
  } catch (const jit::BadRequest &) {
    return false;
  }
}

bool read_records(std::string_view input) {
  try {
    const reports::Run run = reports::run_from_json_lines(input);
    reports::run_from_json_lines(reports::to_json_lines(run));
    return true;
  } catch (const std::runtime_error &) {
    return false;
  }
}

bool read_project_text(std::string_view input) {
  try {
    read_project(file_with("assay.toml", input), {});
    return true;
  } catch (const jit::BadRequest &) {
    return false;
  }
}

bool read_bitcode(std::string_view input) {
  try {
    const jit::ModuleFile file(file_with("input.bc", input), jit::CompileOptions{});
    return true;
  } catch (const jit::BadRequest &) {
    return false;
  }
}

std::vector<std::string> argument_examples() {
  return {"double",
          "const float[3x4]",
          "double[n*lda]:positive",
          "int=1..40",
          "int={-2,1,n}",
          "long=2*n+1",
          "double[4]=1,2,3,4;5,6,7,8",
          "double:log(1e-3,1e3)*2",
          "double[n x n]:spd",
          "double[2] alias=x + n",
          "file=x.npy",
          "float:quantised(0.25)",
          "double[3]=0x1p-3,inf,-nan",
          "double[8]:(0,1),sorted"};
}

std::vector<std::string> object_examples() {
  return {"vector[8]", "net={layers=2,width=3}", "const table[3x4]{rows=2}:positive", "object", "x[1x2x3]:(0,1)"};
}

std::vector<std::string> record_examples() {
  reports::Run run;
  reports::Record record;
  record.function = "dot";
  run.records = {record, record};
  return {reports::to_json_lines(run), "{\"kind\":\"run\"}\n"};
}

std::vector<std::string> project_examples() {
  return {R"(seed = 1
flags = ["-Iinclude"]

[[check]]
name = "energies"
files = ["assay.*"]
function = "energy"
args = ["double[8]", "int=8"]

[[known-failure]]
function = "energy"
mode = "reverse"
reason = "sign of the last term"
expires = 2027-01-31
)",
          "[[check]]\nfiles = [\"assay.toml\"]\nall = true\nrtol = 1e-6\nmode = \"forward\"\n"};
}

std::vector<std::string> bitcode_examples() {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(R"(
    define double @sum(ptr noundef %x, i32 noundef %n) !dbg !4 {
    entry:
      br label %loop
    loop:
      %i = phi i64 [ 0, %entry ], [ %next, %loop ]
      %s = phi double [ 0.0, %entry ], [ %t, %loop ]
      %p = getelementptr inbounds double, ptr %x, i64 %i
      %v = load double, ptr %p, !dbg !6
      %c = call double @llvm.sin.f64(double %v), !dbg !6
      %t = fadd double %s, %c
      %next = add i64 %i, 1
      %m = trunc i64 %next to i32
      %more = icmp slt i32 %m, %n
      br i1 %more, label %loop, label %done
    done:
      ret double %t
    }
    declare double @llvm.sin.f64(double)
    !llvm.dbg.cu = !{!0}
    !llvm.module.flags = !{!2}
    !0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang", isOptimized: true, emissionKind: FullDebug)
    !1 = !DIFile(filename: "sum.c", directory: ".")
    !2 = !{i32 2, !"Debug Info Version", i32 3}
    !4 = distinct !DISubprogram(name: "sum", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
    !5 = !DISubroutineType(types: !7)
    !6 = !DILocation(line: 2, scope: !4)
    !7 = !{!8, !9, !10}
    !8 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
    !9 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !8, size: 64)
    !10 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
  )",
                                                                         problem, context);
  if (!module)
    throw std::logic_error("the example is no IR: " + problem.getMessage().str());
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::WriteBitcodeToFile(*module, stream);
  return {bytes};
}

constexpr std::array targets{ParserTarget{"arguments", read_argument, argument_examples},
                             ParserTarget{"objects", read_object, object_examples},
                             ParserTarget{"records", read_records, record_examples},
                             ParserTarget{"project", read_project_text, project_examples},
                             ParserTarget{"bitcode", read_bitcode, bitcode_examples}};

} // namespace

std::span<const ParserTarget> parser_targets() {
  return targets;
}

} // namespace assay::cli
