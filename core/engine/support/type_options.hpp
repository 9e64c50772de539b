#pragma once
// How types are told, as the user wants it: options of LLVM (`-mllvm -assay-...`, where clang has loaded the plugin
// when it reads them, or of opt), or words of the environment variable ASSAY_OPTIONS.

namespace assay::engine {

struct TypeOptions {
  bool loose = false;          ///< -assay-loose-types: types without evidence are guessed.
  bool strict_aliasing = true; ///< -assay-strict-aliasing=0: TBAA is no evidence.
  bool warnings = true;        ///< -assay-type-warning=0: no warning where a type is guessed.
  unsigned depth = 6;          ///< -assay-max-type-depth: how deep structures in structures are looked into.
  friend bool operator==(const TypeOptions &, const TypeOptions &) = default;
};

const TypeOptions &type_options();

/// A request's own options, beside those of the file, hold while its derivative is made.
class TypeOptionsScope {
public:
  explicit TypeOptionsScope(TypeOptions options);
  ~TypeOptionsScope();
  TypeOptionsScope(const TypeOptionsScope &) = delete;
  TypeOptionsScope &operator=(const TypeOptionsScope &) = delete;

private:
  TypeOptions options_;
  const TypeOptions *before_;
};

} // namespace assay::engine
