#include "moreau/ranks/crew.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "moreau/ranks/shared_engine.hpp"
#include "moreau/ranks/work_clock.hpp"

namespace moreau::ranks {

namespace {

Communicator* joined = nullptr;
void (*end_library)() = nullptr;
bool following = false;

// Open MPI, MPICH, and Slurm's own starter; the first that is set.
int number_of(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const char* text = std::getenv(name)) return std::max(1, std::atoi(text));
  return 1;
}

Bytes effort_of(const Communicator& ranks) {
  Bytes bytes;
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  put(bytes, Effort{work_time(ranks), static_cast<std::uint64_t>(used.ru_maxrss) * 1024, ranks.traffic()});
  return bytes;
}

template <int D>
std::unique_ptr<Engine<D>> make_shared_engine() {
  return std::make_unique<SharedEngine<D>>(*joined);
}

}  // namespace

int started() { return number_of({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}); }
int started_here() { return number_of({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}); }

Communicator* crew() { return joined; }

void join(const Watch& watch) {
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const std::filesystem::path& place : {program / plugin_file, program / "../lib/moreau" / plugin_file}) {
    if (!std::filesystem::exists(place, ignored)) continue;
    void* const library = dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr)
      throw std::runtime_error(fmt::format("the library for several ranks cannot be opened: {}", dlerror()));
    const auto open = reinterpret_cast<Communicator* (*)(const Watch*)>(dlsym(library, plugin_symbol));
    end_library = reinterpret_cast<void (*)()>(dlsym(library, plugin_end_symbol));
    if (open == nullptr || end_library == nullptr)
      throw std::runtime_error(fmt::format("{} is not a library for several ranks", place.string()));
    joined = open(&watch);
    return;
  }
  throw std::runtime_error(fmt::format(
      "started on {} ranks, but this program was built without them (no {} beside it; it is built where Open MPI and Zoltan "
      "are found: libopenmpi-dev, libtrilinos-zoltan-dev)",
      started(), plugin_file));
}

void leave(int status) {
  if (!joined) return;
  if (SharedEngine<2>::is_broken() || SharedEngine<3>::is_broken()) joined->abort(status);
  if (!following) give(*joined, Order::end);
  end_library();
  joined = nullptr;
}

template <int D>
std::string refusal(const Model<D>& model) {
  const char* what = nullptr;
  if (model.engine != EngineKind::rigid)
    what = "engines other than the rigid one";
  else if (model.shocks == ShockRule::sequential)
    what = "shocks one after the other (contact.shocks)";
  return what ? fmt::format("several ranks cannot share a scene with {} yet; start it without mpirun", what) : "";
}
template std::string refusal(const Model<2>&);
template std::string refusal(const Model<3>&);

void tell_scene(int dimension, int threads, const std::string& text, const std::string& folder) {
  Bytes bytes;
  put(bytes, dimension), put(bytes, threads);
  put_all<char>(bytes, text), put_all<char>(bytes, folder);
  give(*joined, Order::scene, bytes);
  make_rigid_engines_by<2>(make_shared_engine<2>), make_rigid_engines_by<3>(make_shared_engine<3>);
}

bool hear_scene(int& dimension, int& threads, std::string& text, std::string& folder) {
  following = true;
  Bytes bytes;
  if (take_order(*joined, bytes) != Order::scene) return false;
  Reader reader(bytes);
  dimension = reader.take<int>(), threads = reader.take<int>();
  const auto words = [&](std::string& to) {
    std::vector<char> letters;
    reader.take_all(letters);
    to.assign(letters.begin(), letters.end());
  };
  words(text), words(folder);
  return true;
}

std::vector<Effort> efforts() {
  give(*joined, Order::report);
  std::vector<Effort> all;
  for (const Bytes& part : joined->gather(effort_of(*joined))) all.push_back(Reader(part).take<Effort>());
  return all;
}

template <int D>
void follow(const std::function<const Model<D>&(std::uint64_t)>& model_of) {
  Member<D> member(*joined);
  Bytes bytes;
  for (;;) {
    switch (take_order(*joined, bytes)) {
      case Order::begin:
        member.begin(nullptr);
        break;
      case Order::exchange: {
        Reader reader(bytes);
        const std::uint64_t phase = reader.take<std::uint64_t>();
        member.exchange(model_of(phase), reader.take<bool>(), nullptr, nullptr);
        break;
      }
      case Order::step: {
        Reader reader(bytes);
        const Orders<D> orders = take_orders<D>(reader);
        member.step(model_of(orders.phase), orders);
        break;
      }
      case Order::gather:
        member.gather(nullptr);
        break;
      case Order::report:
        joined->gather(effort_of(*joined));
        break;
      case Order::scene:
      case Order::end:
        return;
    }
  }
}
template void follow<2>(const std::function<const Model<2>&(std::uint64_t)>&);
template void follow<3>(const std::function<const Model<3>&(std::uint64_t)>&);

}  // namespace moreau::ranks
