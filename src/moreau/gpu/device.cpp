#include "moreau/gpu/device.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>
#include <vector>

#include "moreau/gpu/card_step.hpp"
#include "moreau/gpu/host_machine.hpp"
#include "moreau/gpu/plugin.hpp"

namespace moreau::gpu {

namespace {

Device chosen = Device::processor;

// The library for the card, opened once; null, and why not, where there is none or no card.
struct Card {
  const Plugin* plugin = nullptr;
  std::string why;

  Card() {
    std::error_code ignored;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
    const std::filesystem::path places[] = {program / plugin_file, program / "../lib/moreau" / plugin_file};
    for (const std::filesystem::path& place : places) {
      if (!std::filesystem::exists(place, ignored)) continue;
      void* const library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (library == nullptr) {
        why = std::string("the library for graphics cards cannot be opened: ") + dlerror();
        return;
      }
      const auto open = reinterpret_cast<const Plugin* (*)(const char** why)>(dlsym(library, plugin_symbol));
      const char* reason = "it is not a library for graphics cards";
      plugin = open == nullptr ? nullptr : open(&reason);
      if (plugin == nullptr) why = std::string(reason);
      return;
    }
    why = std::string("this program was built without support for graphics cards (no ") + plugin_file +
          " beside it; build with -DMOREAU_CUDA=ON)";
  }
};

const Card& card() {
  static const Card card;
  return card;
}

}  // namespace

void choose(Device device) {
  chosen = device;
  if (device == Device::card && card().plugin == nullptr)
    throw std::runtime_error("no graphics card can be used: " + card().why);
}

bool card_is_asked_for() { return chosen == Device::card; }

std::string in_use() {
  switch (chosen) {
    case Device::imitation:
      return HostMachine::name();
    case Device::automatic:
    case Device::card:
      if (card().plugin != nullptr) return card().plugin->name;
      break;
    case Device::processor:
      break;
  }
  return "processor";
}

namespace {

template <int D>
std::unique_ptr<Resident<D>> resident_there() {
  if (chosen == Device::imitation) return std::make_unique<CardStep<D, HostMachine>>();
  if (chosen == Device::processor || card().plugin == nullptr) return nullptr;
  if constexpr (D == 2)
    return std::unique_ptr<Resident<2>>(card().plugin->make_plane());
  else
    return std::unique_ptr<Resident<3>>(card().plugin->make_space());
}

constexpr std::size_t worth_it = 3000;  // contacts, below which the processor is as fast (docs/gpu.md)

}  // namespace

template <int D>
std::unique_ptr<Resident<D>> make_resident() {
  std::unique_ptr<Resident<D>> resident = resident_there<D>();
  if (resident) resident->use_from(chosen == Device::automatic ? worth_it : SolverSize::fewest);
  return resident;
}

template std::unique_ptr<Resident<2>> make_resident();
template std::unique_ptr<Resident<3>> make_resident();

}  // namespace moreau::gpu
