#include "cli/compile_flags.hpp"

#include "core/jit/bad_request.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>

namespace assay::cli {

namespace {

using std::string_view;
using Level = jit::OptimizationLevel;

template <std::size_t N>
bool is_one_of(const std::array<string_view, N> &words, string_view word) {
  return std::ranges::find(words, word) != words.end();
}

template <std::size_t N>
bool begins_with_one_of(const std::array<string_view, N> &beginnings, string_view word) {
  return std::ranges::any_of(beginnings, [&](string_view beginning) { return word.starts_with(beginning); });
}

/// The next word belongs to them.
constexpr std::array<string_view, 29> separate{"-I",           "-D",
                                               "-U",           "-include",
                                               "-imacros",     "-isystem",
                                               "-iquote",      "-idirafter",
                                               "-isysroot",    "-iprefix",
                                               "-iwithprefix", "-x",
                                               "-target",      "-arch",
                                               "-Xclang",      "-Xpreprocessor",
                                               "-mllvm",       "--param",
                                               "-F",           "-iframework",
                                               "-cxx-isystem", "--sysroot",
                                               "-include-pch", "-stdlib++-isystem",
                                               "-ivfsoverlay", "-fmodule-name",
                                               "-std",         "-A",
                                               "--config"};
/// The next word belongs to them, and neither matters.
constexpr std::array<string_view, 19> separate_output{"-o",
                                                      "-MF",
                                                      "-MT",
                                                      "-MQ",
                                                      "-MJ",
                                                      "-L",
                                                      "-l",
                                                      "-T",
                                                      "-u",
                                                      "-z",
                                                      "-e",
                                                      "-Xlinker",
                                                      "-Xassembler",
                                                      "-Xanalyzer",
                                                      "--output",
                                                      "-dumpbase",
                                                      "-dumpdir",
                                                      "-resource-dir",
                                                      "--serialize-diagnostics"};
constexpr std::array<string_view, 15> output{"-c",      "-S",      "-E",           "-M",
                                             "-MM",     "-MD",     "-MMD",         "-MG",
                                             "-MP",     "-pipe",   "-emit-llvm",   "-fsyntax-only",
                                             "-shared", "-static", "-Winvalid-pch"};
constexpr std::array<string_view, 23> output_beginnings{"-o",
                                                        "-MF",
                                                        "-MT",
                                                        "-MQ",
                                                        "-MJ",
                                                        "-L",
                                                        "-l",
                                                        "-Wl,",
                                                        "-Wa,",
                                                        "-save-temps",
                                                        "--output=",
                                                        "-Werror",
                                                        "-flto",
                                                        "-fno-lto",
                                                        "-fsanitize",
                                                        "-fprofile-",
                                                        "-ftest-coverage",
                                                        "-fcoverage",
                                                        "-coverage",
                                                        "--coverage",
                                                        "-fpass-plugin",
                                                        "-fplugin",
                                                        "-resource-dir"};
/// Of -Xclang: these take another -Xclang.
constexpr std::array<string_view, 6> frontend_pairs{"-include-pch", "-load",     "-add-plugin",
                                                    "-plugin",      "-emit-pch", "-fpass-plugin"};

bool is_debug_flag(string_view flag) {
  return flag.starts_with("-g") && !flag.starts_with("-gcc-");
}

/// -O, -O2, -Os, -Ofast; -Og improves little, -Os as much as -O2.
std::optional<Level> level_of(string_view flag) {
  if (!flag.starts_with("-O"))
    return std::nullopt;
  const string_view rest = flag.substr(2);
  if (rest == "0")
    return Level::none;
  if (rest.empty() || rest == "1" || rest == "g")
    return Level::little;
  return rest == "2" || rest == "s" || rest == "z" ? Level::normal : Level::most;
}

class Reader {
public:
  explicit Reader(const std::vector<std::string> &words) : words_(words) {}

  /// `refuse` sees each flag that would be dropped and each word that is no flag, and may throw.
  template <class Refuse>
  MeaningfulFlags read(Refuse refuse) {
    for (; at_ < words_.size(); ++at_) {
      const std::string &word = words_[at_];
      if (const std::optional<Level> level = level_of(word)) {
        found_.level = level;
        if (word == "-Ofast")
          found_.flags.push_back("-ffast-math");
      } else if (word == "-Xclang") {
        frontend_flag();
      } else if (is_one_of(separate, word)) {
        keep(2);
      } else if (is_one_of(separate_output, word)) {
        refuse(word);
        ++at_;
      } else if (word == "--" || !word.starts_with('-') || is_one_of(output, word) ||
                 begins_with_one_of(output_beginnings, word)) {
        refuse(word);
      } else if (!is_debug_flag(word)) {
        keep(1);
      }
    }
    return std::move(found_);
  }

private:
  void keep(std::size_t count) {
    for (std::size_t index = 0; index < count && at_ + index < words_.size(); ++index)
      found_.flags.push_back(words_[at_ + index]);
    at_ += count - 1;
  }

  void frontend_flag() {
    const bool is_pair = at_ + 1 < words_.size() && is_one_of(frontend_pairs, words_[at_ + 1]);
    if (!is_pair)
      return keep(2);
    at_ += at_ + 2 < words_.size() && words_[at_ + 2] == "-Xclang" ? 3 : 1;
  }

  const std::vector<std::string> &words_;
  std::size_t at_ = 0;
  MeaningfulFlags found_;
};

void refuse_word_of_user(string_view word) {
  constexpr std::array<string_view, 10> other_output{
      "-S", "-E", "-M", "-MM", "-emit-llvm", "-fsyntax-only", "-o", "--output", "-shared", "-save-temps"};
  if (!word.starts_with('-'))
    throw jit::BadRequest(fmt::format("'{}' behind -- is no flag: what is checked stands before --, what it is linked "
                                      "with behind --with",
                                      word));
  const bool is_joined_output = word.starts_with("-o") || word.starts_with("--output=");
  if (is_one_of(other_output, word) || is_joined_output)
    throw jit::BadRequest(fmt::format("'{}' behind -- asks the compiler for another output; leave it out", word));
  if (word.starts_with("-l") || word.starts_with("-L") || word.starts_with("-Wl,"))
    throw jit::BadRequest(fmt::format("'{}' behind -- is for the linker; give libraries with --with FILE", word));
  if (word.starts_with("-fpass-plugin") || word.starts_with("-fplugin"))
    throw jit::BadRequest(fmt::format("'{}' behind --: code is checked without other plugins; leave it out", word));
}

} // namespace

MeaningfulFlags flags_of_build(const std::vector<std::string> &words) {
  return Reader(words).read([](string_view) {});
}

MeaningfulFlags flags_of_user(const std::vector<std::string> &words) {
  return Reader(words).read(refuse_word_of_user);
}

std::vector<std::string> with_absolute_paths(std::vector<std::string> flags) {
  constexpr std::array<string_view, 9> alone{"-I",       "-isystem",  "-iquote", "-idirafter", "-include",
                                             "-imacros", "-isysroot", "-F",      "--sysroot"};
  constexpr std::array<string_view, 6> joined{"-isystem", "-iquote", "-idirafter", "-I", "-F", "--sysroot="};
  const auto absolute = [](string_view path) { return std::filesystem::absolute(path).lexically_normal().string(); };
  for (std::size_t index = 0; index < flags.size(); ++index) {
    if (is_one_of(alone, flags[index])) {
      if (index + 1 < flags.size())
        flags[index + 1] = absolute(flags[index + 1]);
      ++index;
      continue;
    }
    for (const string_view flag : joined)
      if (flags[index].starts_with(flag)) {
        flags[index] = std::string(flag) + absolute(string_view(flags[index]).substr(flag.size()));
        break;
      }
  }
  return flags;
}

} // namespace assay::cli
