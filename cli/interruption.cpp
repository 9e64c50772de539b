#include "cli/interruption.hpp"

#include <csignal>

namespace assay::cli {

namespace {

volatile std::sig_atomic_t noted = 0; // Written by a signal handler.

void note(int signal) {
  noted = signal;
  std::signal(signal, SIG_DFL);
}

} // namespace

void watch_for_interruption() {
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction action = {};
    action.sa_handler = note;
    ::sigaction(signal, &action, nullptr); // Without SA_RESTART: who waits for a child wakes up.
  }
}

std::optional<int> interruption() {
  return noted == 0 ? std::nullopt : std::optional<int>(noted);
}

void end_at_interruption() {
  for (const int signal : {SIGINT, SIGTERM})
    std::signal(signal, SIG_DFL);
}

} // namespace assay::cli
