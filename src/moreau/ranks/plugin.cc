// Ranks that are processes started by mpirun: messages by MPI, the division of the bodies by Zoltan (Trilinos). A library of its own,
// which the program opens where it was started so (ranks/crew.hpp): programs that are not need neither.
#define OMPI_SKIP_MPICXX 1  // C is enough
#include <mpi.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zoltan.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <map>

#include "moreau/ranks/plugin.hpp"

namespace moreau::ranks {

namespace {

// The function that a reduction adds with, while it runs.
void (*adding)(void*, const void*) = nullptr;
void add_all(void* from, void* to, int* count, MPI_Datatype* type) {
  int bytes = 0;
  MPI_Type_size(*type, &bytes);
  for (int i = 0; i < *count; ++i) adding(static_cast<char*>(to) + bytes * i, static_cast<const char*>(from) + bytes * i);
}

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
double computing_time() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

// A slower network than there is, to see what it would cost: seconds that every message from rank to rank, and every stage of a sum
// over ranks, takes longer (environment variable, in microseconds). Ranks must be on one machine, whose clock tells when a message left.
double added_latency() {
  const char* text = std::getenv("MOREAU_ADDED_LATENCY");
  return text ? 1e-6 * std::atof(text) : 0.0;
}

// Whole states go from rank to rank in pieces: MPI counts in numbers below 2^31.
const std::size_t largest_piece = [] {
  const char* text = std::getenv("MOREAU_LARGEST_MESSAGE");  // bytes, for tests
  return text ? static_cast<std::size_t>(std::max(1, std::atoi(text))) : std::size_t{1} << 30;
}();

class MpiRanks : public Communicator {
 public:
  explicit MpiRanks(const Watch& watch) : watch_(watch) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Op_create(add_all, 1, &adds_);
    float version = 0.0f;
    Zoltan_Initialize(0, nullptr, &version);
    MPI_Comm here;
    int ranks_here = 1;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &ranks_here);
    MPI_Comm_free(&here);
    crowded_ = ranks_here > sysconf(_SC_NPROCESSORS_ONLN);
    for (int reached = 1; reached < size_; reached *= 2) ++stages_;
    ::prctl(PR_SET_TIMERSLACK, 1000UL);  // nanoseconds; by default one who sleeps for 1 us is not woken for another 50
  }
  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void combine(void* mine, std::size_t bytes, void (*add)(void*, const void*)) override {
    ++traffic_.sums;
    MPI_Datatype& type = types_.try_emplace(bytes, MPI_DATATYPE_NULL).first->second;
    if (type == MPI_DATATYPE_NULL) MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type), MPI_Type_commit(&type);
    adding = add;
    const double begun = latency_ > 0.0 ? seconds_of(CLOCK_MONOTONIC) : 0.0;
    MPI_Request request;
    MPI_Iallreduce(MPI_IN_PLACE, mine, 1, type, adds_, MPI_COMM_WORLD, &request);
    wait(request);
    if (latency_ > 0.0) wait_until(begun + stages_ * latency_);
  }

  void broadcast(Bytes& bytes) override {
    unsigned long long count = bytes.size();
    MPI_Request request;
    MPI_Ibcast(&count, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD, &request);
    wait(request);
    bytes.resize(count);
    for (std::size_t done = 0; done < count; done += largest_piece) {
      const int piece = static_cast<int>(std::min<std::size_t>(largest_piece, count - done));
      MPI_Ibcast(bytes.data() + done, piece, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
      wait(request);
    }
  }

  void collect(const Bytes& mine, const std::function<void(const Bytes&)>& take) override {
    if (rank_ != 0) {
      std::vector<MPI_Request> requests;
      send_pieces(mine, 0, home, requests);
      return wait_all(requests);
    }
    take(mine);
    Bytes part;
    for (int r = 1; r < size_; ++r) receive_pieces(r, home, part), take(part);
  }

  Bytes scatter(const std::vector<Bytes>& parts) override {
    if (rank_ != 0) {
      Bytes part;
      receive_pieces(0, away, part);
      return part;
    }
    std::vector<MPI_Request> requests;
    for (int r = 1; r < size_; ++r) send_pieces(parts[static_cast<std::size_t>(r)], r, away, requests);
    wait_all(requests);
    return parts[0];
  }

  // A rank tells how much it has for the others, and sends only where that is something.
  std::vector<Bytes> exchange(const std::vector<Bytes>& to) override {
    const std::size_t count = static_cast<std::size_t>(size_);
    std::vector<unsigned long long> sizes(count), coming(count);
    for (std::size_t r = 0; r < count; ++r) sizes[r] = to[r].size();
    MPI_Request counted;
    MPI_Ialltoall(sizes.data(), 1, MPI_UNSIGNED_LONG_LONG, coming.data(), 1, MPI_UNSIGNED_LONG_LONG, MPI_COMM_WORLD, &counted);
    wait(counted);
    std::vector<Bytes> from(count);
    std::vector<MPI_Request> requests;
    for (std::size_t r = 0; r < count; ++r) {
      if (static_cast<int>(r) == rank_)
        from[r] = to[r];
      else if (sizes[r] > 0)
        send_pieces(to[r], static_cast<int>(r), all_to_all, requests);
    }
    for (std::size_t r = 0; r < count; ++r)
      if (static_cast<int>(r) != rank_ && coming[r] > 0) receive_pieces(static_cast<int>(r), all_to_all, from[r]);
    wait_all(requests);
    return from;
  }

  void send(int to, int tag, std::span<const std::byte> message) override {
    ++traffic_.messages, traffic_.bytes += message.size();
    if (latency_ > 0.0) {
      Bytes& stamped = stamped_.emplace_back(message.begin(), message.end());
      put(stamped, seconds_of(CLOCK_MONOTONIC));
      message = stamped;
    }
    MPI_Isend(message.data(), static_cast<int>(message.size()), MPI_BYTE, to, tag, MPI_COMM_WORLD, &sends_.emplace_back());
  }
  void finish_sends() override {
    for (MPI_Request& request : sends_) wait(request);
    sends_.clear(), stamped_.clear();
  }
  void receive(int from, int tag, Bytes& message) override {
    receive_from(from, tag, message);
    if (latency_ == 0.0) return;
    double left;
    message.resize(message.size() - sizeof left);
    std::memcpy(&left, message.data() + message.size(), sizeof left);
    wait_until(left + latency_);
  }

  std::vector<int> partition(int dimension, std::span<const double> points, std::span<const double> weights,
                             std::span<const std::int32_t> names) override {
    struct Points {
      int dimension;
      std::span<const double> points, weights;
      std::span<const std::int32_t> names;
    } all{dimension, points, weights, names};
    long count = static_cast<long>(names.size());
    MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    int ranks_in_all = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_in_all);
    if (count <= ranks_in_all) return std::vector<int>(names.size(), rank_);  // too few for Zoltan: a source has hardly begun
    Zoltan_Struct* zoltan = Zoltan_Create(MPI_COMM_WORLD);
    for (const auto& [key, value] : std::initializer_list<std::pair<const char*, const char*>>{{"DEBUG_LEVEL", "0"},  // first: others are told of
                                                                                               {"LB_METHOD", "RCB"},
                                                                                               {"NUM_GID_ENTRIES", "1"},
                                                                                               {"NUM_LID_ENTRIES", "1"},
                                                                                               {"OBJ_WEIGHT_DIM", "1"},
                                                                                               {"RETURN_LISTS", "PARTS"},
                                                                                               {"IMBALANCE_TOL", "1.02"}})
      Zoltan_Set_Param(zoltan, key, value);
    Zoltan_Set_Num_Obj_Fn(
        zoltan, [](void* data, int* error) { return *error = ZOLTAN_OK, static_cast<int>(static_cast<Points*>(data)->names.size()); },
        &all);
    Zoltan_Set_Obj_List_Fn(
        zoltan,
        [](void* data, int, int, ZOLTAN_ID_PTR name, ZOLTAN_ID_PTR number, int, float* weight, int* error) {
          const Points& p = *static_cast<Points*>(data);
          for (std::size_t i = 0; i < p.names.size(); ++i)
            name[i] = static_cast<ZOLTAN_ID_TYPE>(p.names[i]), number[i] = static_cast<ZOLTAN_ID_TYPE>(i),
            weight[i] = static_cast<float>(p.weights[i]);
          *error = ZOLTAN_OK;
        },
        &all);
    Zoltan_Set_Num_Geom_Fn(
        zoltan, [](void* data, int* error) { return *error = ZOLTAN_OK, static_cast<Points*>(data)->dimension; }, &all);
    Zoltan_Set_Geom_Multi_Fn(
        zoltan,
        [](void* data, int, int, int count, ZOLTAN_ID_PTR, ZOLTAN_ID_PTR number, int d, double* at, int* error) {
          const Points& p = *static_cast<Points*>(data);
          for (int i = 0; i < count; ++i)
            for (int k = 0; k < d; ++k)
              at[d * i + k] = p.points[static_cast<std::size_t>(d) * number[i] + static_cast<std::size_t>(k)];
          *error = ZOLTAN_OK;
        },
        &all);
    int changed, gids, lids, imports, exports;
    ZOLTAN_ID_PTR import_gid = nullptr, import_lid = nullptr, export_gid = nullptr, export_lid = nullptr;
    int *import_rank = nullptr, *import_part = nullptr, *export_rank = nullptr, *export_part = nullptr;
    const int status = Zoltan_LB_Partition(zoltan, &changed, &gids, &lids, &imports, &import_gid, &import_lid, &import_rank,
                                           &import_part, &exports, &export_gid, &export_lid, &export_rank, &export_part);
    if (status != ZOLTAN_OK && status != ZOLTAN_WARN) {  // a warning: the imbalance asked for cannot be had
      std::fprintf(stderr, "moreau: rank %d: the bodies could not be divided among the ranks (Zoltan)\n", rank_);
      abort(1);
    }
    std::vector<int> ranks(names.size(), rank_);
    for (int i = 0; i < exports; ++i) ranks[export_lid[i]] = export_part[i];
    Zoltan_LB_Free_Part(&import_gid, &import_lid, &import_rank, &import_part);
    Zoltan_LB_Free_Part(&export_gid, &export_lid, &export_rank, &export_part);
    Zoltan_Destroy(&zoltan);
    return ranks;
  }

  void abort(int status) override {
    MPI_Abort(MPI_COMM_WORLD, status);
    std::_Exit(status);
  }

 private:
  enum : int { home = 1001, away = 1002, all_to_all = 1003 };

  // A piece shorter than the largest is the last one.
  static void send_pieces(const Bytes& bytes, int to, int tag, std::vector<MPI_Request>& requests) {
    for (std::size_t done = 0;; done += largest_piece) {
      const std::size_t piece = std::min(largest_piece, bytes.size() - done);
      MPI_Isend(bytes.data() + done, static_cast<int>(piece), MPI_BYTE, to, tag, MPI_COMM_WORLD, &requests.emplace_back());
      if (piece < largest_piece) return;
    }
  }
  void receive_pieces(int from, int tag, Bytes& bytes) {
    receive_from(from, tag, bytes);
    Bytes piece;
    for (std::size_t last = bytes.size(); last == largest_piece; last = piece.size()) {
      receive_from(from, tag, piece);
      append(bytes, piece.data(), piece.size());
    }
  }
  void wait_all(std::vector<MPI_Request>& requests) {
    for (MPI_Request& request : requests) wait(request);
  }

  void receive_from(int from, int tag, Bytes& message) {
    MPI_Status status;
    MPI_Message found;
    int there = 0;
    wait_for([&] { MPI_Improbe(from, tag, MPI_COMM_WORLD, &there, &found, &status); return there != 0; });
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    message.resize(static_cast<std::size_t>(count));
    MPI_Mrecv(message.data(), count, MPI_BYTE, &found, MPI_STATUS_IGNORE);
  }
  void wait(MPI_Request& request) {
    wait_for([&] {
      int done = 0;
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      return done != 0;
    });
  }
  // Whether nobody else wants the core of this rank, by how often it has been put aside lately.
  bool is_alone(double now) {
    if (now < next_judgement_) return alone_;
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    alone_ = !crowded_ && usage.ru_nivcsw - put_aside_ <= 1;
    put_aside_ = usage.ru_nivcsw, next_judgement_ = now + 0.05;
    return alone_;
  }
  // Looks again and again where each rank has a core of its own, for some sweeps where nobody else wants that core: one who sleeps
  // wakes late, and ranks wait for one another a dozen times in each sweep. Then sleeps in between, asks whether the run is being
  // ended, and gives up after the longest time that a rank may be silent.
  template <class Ready>
  void wait_for(Ready&& ready) {
    if (ready()) return;
    const double looked = computing_time();
    const auto note = [&] { traffic_.waited += computing_time() - looked; };
    for (int i = 0; i < (crowded_ ? 0 : 500); ++i)
      if (ready()) return note();
    if (const double now = MPI_Wtime(); is_alone(now))
      while (MPI_Wtime() < now + 5e-3)
        for (int i = 0; i < 64; ++i)
          if (ready()) return note();
    double begun = 0.0, ending = 0.0;
    for (long i = 0;; ++i) {
      if (ready()) return note();
      ::usleep(i < 1000 ? 1 : 50);  // not sched_yield(), which on a busy machine lets everybody else go first
      if (!watch_.is_ending() && i % 64 != 63) continue;
      const double now = MPI_Wtime();
      if (begun == 0.0) begun = now;
      if (watch_.is_ending()) {
        if (ending == 0.0) ending = now;
        if (now - ending > 0.6) watch_.give_up("the run was ended while this rank waited for another");
      }
      if (now - begun > watch_.longest_silence) watch_.give_up("a rank has been silent for too long");
    }
  }
  static void wait_until(double time) {
    while (seconds_of(CLOCK_MONOTONIC) < time) {
    }
  }

  const Watch& watch_;
  int rank_ = 0, size_ = 1;
  MPI_Op adds_;
  std::map<std::size_t, MPI_Datatype> types_;  // of what is summed, by size
  std::vector<MPI_Request> sends_;
  bool crowded_ = false;  // more ranks than cores on this machine
  bool alone_ = false;
  long put_aside_ = 0;            // times, by the last judgement
  double next_judgement_ = 0.0;  // when
  int stages_ = 0;         // of a sum over ranks
  const double latency_ = added_latency();
  std::deque<Bytes> stamped_;  // messages on their way
};

}  // namespace

}  // namespace moreau::ranks

extern "C" moreau::ranks::Communicator* moreau_ranks(const moreau::ranks::Watch* watch) {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  return new moreau::ranks::MpiRanks(*watch);
}

extern "C" void moreau_ranks_end() { MPI_Finalize(); }
