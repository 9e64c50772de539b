#include "cli/night/signals.hpp"

#include <csignal>

namespace assay::cli {

namespace {

volatile std::sig_atomic_t heard = 0;

void hear(int signal) {
  heard = signal;
}

} // namespace

void hear_signals() {
  struct sigaction action = {};
  action.sa_handler = hear; // Without SA_RESTART: what waits is woken.
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

void end_at_signals() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

int heard_signal() {
  return heard;
}

int exit_code_of_signal() {
  constexpr int ended_by_signal = 128;
  return ended_by_signal + heard_signal();
}

} // namespace assay::cli
