// Loads assay-frontend.so, which lies beside this plugin, into clang. opt has no frontend and must not get one: clang's
// library would register its options a second time.

#include <dlfcn.h>
#include <string>

namespace {

bool is_clang() {
  return dlsym(RTLD_DEFAULT, "_ZTVN5clang15PluginASTActionE") != nullptr;
}

/// Without the file everything but the frontend's part works, so its absence is no error.
bool load_frontend() {
  Dl_info self;
  if (!is_clang() || !dladdr(reinterpret_cast<void *>(&load_frontend), &self))
    return false;
  const std::string plugin = self.dli_fname;
  const std::size_t slash = plugin.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : plugin.substr(0, slash + 1);
  return dlopen((folder + "assay-frontend.so").c_str(), RTLD_LAZY | RTLD_GLOBAL) != nullptr;
}

[[maybe_unused]] const bool frontend_is_loaded = load_frontend();

} // namespace
