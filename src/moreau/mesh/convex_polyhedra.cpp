#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Nef_polyhedron_3.h>
#include <CGAL/Polyhedron_3.h>
#include <CGAL/Polyhedron_incremental_builder_3.h>
#include <CGAL/convex_decomposition_3.h>
#include <fmt/format.h>

#include "moreau/mesh/convex_parts.hpp"
#include "moreau/mesh/mesh_error.hpp"

namespace moreau::mesh {
namespace {

using Kernel = CGAL::Exact_predicates_exact_constructions_kernel;
using Polyhedron = CGAL::Polyhedron_3<Kernel>;
using Nef = CGAL::Nef_polyhedron_3<Kernel>;

struct Builder : CGAL::Modifier_base<Polyhedron::HalfedgeDS> {
  const Mesh<3>& mesh;
  bool failed = false;
  explicit Builder(const Mesh<3>& m) : mesh(m) {}
  void operator()(Polyhedron::HalfedgeDS& to) override {
    CGAL::Polyhedron_incremental_builder_3<Polyhedron::HalfedgeDS> builder(to, false);
    builder.begin_surface(mesh.vertices.size(), mesh.faces.size());
    for (const Vec<3>& v : mesh.vertices) builder.add_vertex({v[0], v[1], v[2]});
    for (const auto& face : mesh.faces) {
      if (!builder.test_facet(face.begin(), face.end())) {
        failed = true;
        break;
      }
      builder.add_facet(face.begin(), face.end());
    }
    if (failed)
      builder.rollback();
    else
      builder.end_surface();
  }
};

}  // namespace

// Exact (Chazelle 1984), cut along the planes of reflex edges.
std::vector<std::vector<Vec<3>>> convex_parts(const Mesh<3>& mesh, std::size_t most) {
  Polyhedron polyhedron;
  Builder builder(mesh);
  polyhedron.delegate(builder);
  if (builder.failed || !polyhedron.is_closed()) throw MeshError("touches itself at a corner or an edge");
  std::vector<std::vector<Vec<3>>> parts;
  try {
    Nef nef(polyhedron);
    CGAL::convex_decomposition_3(nef);
    auto volume = nef.volumes_begin();
    for (++volume; volume != nef.volumes_end(); ++volume) {  // the first is the outside
      if (!volume->mark()) continue;
      if (parts.size() == most) throw MeshError(fmt::format("is made of more than {0} convex parts; accepted: at most {0}, or convex = \"hull\"", most));
      Polyhedron part;
      nef.convert_inner_shell_to_polyhedron(volume->shells_begin(), part);
      parts.emplace_back();
      for (auto v = part.vertices_begin(); v != part.vertices_end(); ++v)
        parts.back().push_back({{CGAL::to_double(v->point().x()), CGAL::to_double(v->point().y()), CGAL::to_double(v->point().z())}});
    }
  } catch (const CGAL::Failure_exception&) {
    throw MeshError("passes through itself");
  }
  return parts;
}

}  // namespace moreau::mesh
