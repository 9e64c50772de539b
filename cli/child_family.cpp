#include "cli/child_family.hpp"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace assay::cli {

namespace {

/// Direct ones, zombies included.
std::set<pid_t> children_of_this_process() {
  std::set<pid_t> children;
  std::error_code error;
  for (const std::filesystem::directory_entry &task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream list(task.path() / "children");
    for (pid_t child = 0; list >> child;)
      children.insert(child);
  }
  return children;
}

void end(pid_t process) {
  ::kill(process, SIGKILL);
  while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
}

} // namespace

ChildFamily::ChildFamily() : owner_(::getpid()), foreign_(children_of_this_process()) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

ChildFamily &ChildFamily::here() {
  static std::unique_ptr<ChildFamily> family;
  if (!family || family->owner_ != ::getpid())
    family.reset(new ChildFamily);
  return *family;
}

void ChildFamily::remove(pid_t child) {
  running_.erase(child);
  end_orphans();
}

/// The children of one that is ended come here in their turn. What starts processes faster than they are ended is left.
void ChildFamily::end_orphans() const {
  constexpr int most_rounds = 1000;
  for (int round = 0; round < most_rounds; ++round) {
    bool found = false;
    for (const pid_t child : children_of_this_process())
      if (!foreign_.contains(child) && !running_.contains(child)) {
        end(child);
        found = true;
      }
    if (!found)
      return;
  }
}

} // namespace assay::cli
