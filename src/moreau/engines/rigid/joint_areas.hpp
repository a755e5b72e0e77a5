// The area of joints whose strength is a stress. In the step in which they are made, the contact points that two parts have in
// common span the joint (3-D: the area of their convex hull across the normal; 2-D: the distance of the outermost, for a unit of
// depth), and each has an equal share of it. The share is kept while the contact lasts: what opens or slides later was mortar
// once. Round bodies touch in points, which have no area.
#pragma once

#include "moreau/engines/rigid/step_view.hpp"

namespace moreau::inline engines {

// Before: the contacts of the step are found. After: work.joint_areas, empty unless some law needs it.
template <int D>
void find_joint_areas(const Model<D>& model, const State<D>& state, Workspace<D>& work);

// Of the convex hull of the points, seen along the normal.
double spanned_area(const Vec<2>* points, std::size_t count, const Vec<2>& normal);
double spanned_area(const Vec<3>* points, std::size_t count, const Vec<3>& normal);

}  // namespace moreau::inline engines
