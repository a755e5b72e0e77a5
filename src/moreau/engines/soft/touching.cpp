#include "moreau/engines/soft/touching.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "moreau/base/gather.hpp"
#include "moreau/base/instruction_set.hpp"
#include "moreau/base/parallel.hpp"
#include "moreau/engines/soft/eight_bodies.hpp"

namespace moreau::soft {

namespace {

constexpr std::size_t body_chunk = 128;

typedef signed char EightBytes __attribute__((vector_size(8)));

template <int D>
MOREAU_INLINE void judge(const Candidates<D>& in, std::size_t begin, std::size_t end, std::uint8_t* near) {
  using Layout = LineLayout<D>;
  for (std::size_t k = begin; k < end; k += lanes) {
    std::int32_t of_a[lanes], of_b[lanes];
    const double* shift[lanes];
    for (int l = 0; l < lanes; ++l) {
      const std::size_t p = std::min(k + static_cast<std::size_t>(l), end - 1);
      of_a[l] = in.a[p], of_b[l] = is_wall(in.b[p]) ? in.a[p] : in.b[p];
      if (in.shift != nullptr) shift[l] = in.shift[p].c;
    }
    Lanes pair[4];
    read_places<D>(in.bodies, of_a, of_b, pair);
    Vec<D, Lanes> apart;
    for (int d = 0; d < D; ++d) apart[d] = pair[Layout::position + d];
    if (in.shift != nullptr)
      for (int d = 0; d < D; ++d) apart[d] -= gathered(shift, d);
    const Lanes touch = pair[Layout::radius];
    const EightBytes within = __builtin_convertvector(dot(apart, apart) <= touch * touch, EightBytes) & 1;
    if (end - k >= lanes)
      __builtin_memcpy(near + k, &within, sizeof(within));
    else
      for (std::size_t l = 0; l < end - k; ++l) near[k + l] = static_cast<std::uint8_t>(within[l]);
  }
}

struct Part {
  std::size_t count = 0;
  bool changed = false;
};
// How many of [begin, end) touch, and whether they are others than before: eight bytes of 0 or 1 at a time.
Part compared(const std::uint8_t* near, const std::uint8_t* before, std::size_t begin, std::size_t end) {
  Part part;
  std::uint64_t differ = 0;
  for (; begin + 8 <= end; begin += 8) {
    std::uint64_t now, then;
    std::memcpy(&now, near + begin, 8), std::memcpy(&then, before + begin, 8);
    differ |= now ^ then;
    part.count += (now * 0x0101010101010101u) >> 56;  // the sum of the bytes
  }
  for (; begin < end; ++begin) part.count += near[begin], differ |= near[begin] ^ before[begin];
  part.changed = differ != 0;
  return part;
}

}  // namespace

MOREAU_VERSIONS(void, judge_touching, (const Candidates<2>& in, std::size_t begin, std::size_t end, std::uint8_t* near),
                (in, begin, end, near)) {
  judge<2>(in, begin, end, near);
}
MOREAU_VERSIONS(void, judge_touching, (const Candidates<3>& in, std::size_t begin, std::size_t end, std::uint8_t* near),
                (in, begin, end, near)) {
  judge<3>(in, begin, end, near);
}

// Rows of the table and candidates have the same order within a body.
template <int D>
void Touching<D>::renew(const Neighbours<D>& neighbours, const ContactTable<D>& previous, std::size_t bodies) {
  const std::size_t count = neighbours.partner.size();
  first_.resize(count), place_.assign(count, -1), near_.assign(count, 0), near_before_.assign(count, 0);
  std::vector<std::uint32_t> old_row(bodies + 1, 0);
  for (const std::int32_t a : previous.a) ++old_row[static_cast<std::size_t>(a) + 1];
  for (std::size_t a = 0; a < bodies; ++a) old_row[a + 1] += old_row[a];
  const bool periodic = !neighbours.image.empty() && !previous.image.empty();
  for_chunks(bodies, body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t a = begin; a < end; ++a) {
      std::uint32_t old = old_row[a];
      for (std::uint32_t p = neighbours.row[a]; p < neighbours.row[a + 1]; ++p) {
        first_[p] = static_cast<std::int32_t>(a);
        const auto before = [&](std::uint32_t r) {
          if (previous.b[r] != neighbours.partner[p]) return previous.b[r] < neighbours.partner[p];
          return periodic && previous.image[r] < neighbours.image[p];
        };
        while (old < old_row[a + 1] && before(old)) ++old;
        if (old < old_row[a + 1] && previous.b[old] == neighbours.partner[p] &&
            (!periodic || previous.image[old] == neighbours.image[p]))
          place_[p] = static_cast<std::int32_t>(old);
      }
    }
  });
  at_wall_.clear(), wall_chunk_.assign(1, 0);
  for (std::size_t begin = 0; begin < bodies; begin += body_chunk) {
    for (std::uint32_t p = neighbours.row[begin]; p < neighbours.row[std::min(bodies, begin + body_chunk)]; ++p)
      if (is_wall(neighbours.partner[p])) at_wall_.push_back(p);
    wall_chunk_.push_back(at_wall_.size());
  }
}

template <int D>
void Touching<D>::find(const Neighbours<D>& neighbours, bool renewed, const Surroundings<D>& around,
                       const std::vector<Vec<D>>& image_shift, const std::vector<BodyLine<D>>& lines,
                       const ContactTable<D>& previous) {
  const std::size_t bodies = lines.size();
  if (renewed) renew(neighbours, previous, bodies);
  const Candidates<D> in{lines.data(), first_.data(), neighbours.partner.data(),
                         image_shift.empty() ? nullptr : image_shift.data()};
  std::swap(near_, near_before_);
  std::vector<Part> parts(chunk_count(bodies, body_chunk));
  for_chunks(bodies, body_chunk, [&](std::size_t chunk, std::size_t begin_body, std::size_t end_body) {
    const std::size_t begin = neighbours.row[begin_body], end = neighbours.row[end_body];
    if (begin == end) return;
    judge_touching(in, begin, end, near_.data());
    for (std::size_t k = wall_chunk_[chunk]; k < wall_chunk_[chunk + 1]; ++k) {
      const std::uint32_t p = at_wall_[k];
      const BodyLine<D>& line = lines[static_cast<std::size_t>(first_[p])];
      const std::size_t w = static_cast<std::size_t>(wall_index(neighbours.partner[p]));
      near_[p] = separation(around.walls[w].geometry, around.shift[w], line.vector(LineLayout<D>::position),
                            line.c[LineLayout<D>::radius])
                     .gap <= 0.0;
    }
    parts[chunk] = compared(near_.data(), near_before_.data(), begin, end);
  });
  changed = renewed || std::ranges::any_of(parts, [](const Part& part) { return part.changed; });
  if (!changed && identity_) {
    recalled = found.size();
    return;
  }
  identity_ = !changed;

  std::swap(offset_, offset_before_), std::swap(found, found_before_), std::swap(candidate, candidate_before_),
      std::swap(image, image_before_);
  offset_.assign(parts.size() + 1, 0);
  for (std::size_t k = 0; k < parts.size(); ++k) offset_[k + 1] = offset_[k] + parts[k].count;
  const std::size_t count = offset_.back();
  resize_tightly(found, count), resize_tightly(candidate, count), row.resize(bodies + 1);
  resize_tightly(image, neighbours.image.empty() ? 0 : count);
  row[0] = 0;
  std::vector<std::size_t> known(parts.size(), 0);  // contacts that are recalled
  for_chunks(bodies, body_chunk, [&](std::size_t chunk, std::size_t begin_body, std::size_t end_body) {
    std::size_t i = offset_[chunk];
    if (!renewed && !parts[chunk].changed) {  // the contacts of before, in other rows
      const std::size_t before = offset_before_[chunk], size = offset_[chunk + 1] - i;
      for (std::size_t k = 0; k < size; ++k) {
        const FoundContact& old = found_before_[before + k];
        found[i + k] = {old.a, old.b, static_cast<std::int32_t>(before + k)};
      }
      std::copy_n(candidate_before_.begin() + static_cast<std::ptrdiff_t>(before), size,
                  candidate.begin() + static_cast<std::ptrdiff_t>(i));
      if (!image.empty())
        std::copy_n(image_before_.begin() + static_cast<std::ptrdiff_t>(before), size,
                    image.begin() + static_cast<std::ptrdiff_t>(i));
      const std::uint32_t shift = static_cast<std::uint32_t>(i) - static_cast<std::uint32_t>(before);  // may wrap
      for (std::size_t a = begin_body; a < end_body; ++a) row[a + 1] += shift;
      known[chunk] = size;
      return;
    }
    std::int32_t old = renewed ? 0 : static_cast<std::int32_t>(offset_before_[chunk]);
    const std::size_t end = offset_[chunk + 1];
    for (std::size_t a = begin_body; a < end_body; ++a) {
      for (std::size_t p = neighbours.row[a]; p < neighbours.row[a + 1]; ++p) {
        const std::int32_t place = renewed ? place_[p] : near_before_[p] != 0 ? old : -1;
        old += near_before_[p];
        if (i == end) continue;
        found[i] = {static_cast<std::int32_t>(a), neighbours.partner[p], place};
        candidate[i] = static_cast<std::uint32_t>(p);
        if (!image.empty()) image[i] = neighbours.image[p];
        known[chunk] += near_[p] != 0 && place >= 0 ? 1 : 0;
        i += near_[p];
      }
      row[a + 1] = static_cast<std::uint32_t>(i);
    }
  });
  recalled = 0;
  for (const std::size_t k : known) recalled += k;
}

template class Touching<2>;
template class Touching<3>;

}  // namespace moreau::soft
