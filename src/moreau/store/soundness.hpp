// What is read must make sense, not only have the right shape: a file with valid checksums may come from anywhere. Numbers are
// finite, indices and enumerations within their ranges, orders kept. StoreError names the first thing that is not so.
#pragma once

#include "moreau/store/hdf5.hpp"
#include "moreau/store/run_folder.hpp"

namespace moreau::inline store {

template <int D>
void check_sound(const hdf5::Group& group, const State<D>& state);
template <int D>
void check_sound(const hdf5::Group& group, const Frame<D>& frame);
// Before anything is looked up with them: the bodies and walls that contacts name are there.
template <int D>
void check_indices(const hdf5::Group& group, const Frame<D>& frame);
template <int D>
void check_sound(const hdf5::Group& group, const std::vector<Shape<D>>& shapes);
// What a checkpoint holds besides its state and its references.
template <int D>
void check_course(const hdf5::Group& group, const Checkpoint<D>& checkpoint);

}  // namespace moreau::inline store
