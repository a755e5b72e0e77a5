#include "moreau/draw/picture/meshes.hpp"

#include <algorithm>
#include <cmath>

#include "moreau/dynamics/worn_faces.hpp"

namespace moreau::inline draw {
namespace {

constexpr double sharp_cosine = 0.9;  // faces that meet at less than 26 degrees share no visible edge
constexpr std::size_t most_filled = 200'000;

std::size_t at(std::int32_t k) { return static_cast<std::size_t>(k); }

void add_edges(DrawnMesh& drawn, const Mesh<2>& mesh) {
  for (const MeshFace<2>& face : mesh.faces) drawn.edges.push_back({face, {-1, -1}, true});
}
void add_edges(DrawnMesh& drawn, const Mesh<3>& mesh) {
  drawn.triangles.assign(mesh.faces.begin(), mesh.faces.end());
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    const auto sides = mesh.edge_faces.of(e);
    DrawnMesh::Edge edge{mesh.edges[e], {sides[0] / 3, sides.size() > 1 ? sides[1] / 3 : -1}, true};
    if (sides.size() == 2) {
      const double bend = std::abs(dot(mesh.normal[at(edge.triangles[0])], mesh.normal[at(edge.triangles[1])]));
      const bool folded =
          dot(mesh.inward[at(edge.triangles[0])][at(sides[0] % 3)], mesh.inward[at(edge.triangles[1])][at(sides[1] % 3)]) > 0.0;
      edge.sharp = bend < sharp_cosine || folded;
    }
    drawn.edges.push_back(edge);
  }
}

Colour steel(double shade) { return {0.52 + 0.16 * shade, 0.62 + 0.16 * shade, 0.74 + 0.16 * shade}; }

void mark_inner(std::vector<DrawnMesh>& meshes) {
  for (DrawnMesh& mesh : meshes) {
    const Box box = mesh.box();
    for (const DrawnMesh& around : meshes) {
      if (&around == &mesh || around.triangles.empty()) continue;
      const Box outer = around.box();
      const double margin = 0.05 * norm(outer.size());  // an axle may stand out
      mesh.inner |= outer.contains(box.low, margin) && outer.contains(box.high, margin) && norm(box.size()) < norm(outer.size());
    }
  }
}

// Seen from the viewer.
struct Sight {
  const Camera& camera;
  Vec<3> to_viewer(const Vec<3>& p) const {
    return camera.perspective() ? camera.centre + camera.distance * camera.toward - p : camera.toward;
  }
};

struct Facet {
  std::int32_t triangle;
  Vec<3> normal;  // towards the viewer
  bool before;    // the content lies behind it
  double depth;
};

std::vector<Facet> facets_of(const DrawnMesh& mesh, const Camera& camera, const Box& content) {
  const Sight sight{camera};
  std::vector<Facet> facets;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec<3>&a = mesh.vertices[at(mesh.triangles[t][0])], &b = mesh.vertices[at(mesh.triangles[t][1])],
          &c = mesh.vertices[at(mesh.triangles[t][2])];
    const Vec<3> middle = (1.0 / 3.0) * (a + b + c), across = cross(b - a, c - a);
    const double length = norm(across);
    if (!(length > 0.0)) continue;
    Vec<3> normal = (1.0 / length) * across;
    if (dot(normal, sight.to_viewer(middle)) < 0.0) normal = -normal;
    facets.push_back(
        {static_cast<std::int32_t>(t), normal, dot(content.centre() - middle, normal) < 0.0, camera.project(middle).depth});
  }
  std::stable_sort(facets.begin(), facets.end(), [](const Facet& p, const Facet& q) { return p.depth < q.depth; });
  return facets;
}

void draw(Canvas& canvas, const Camera& camera, const DrawnMesh& mesh, const Box& content, double letter, bool before) {
  const Sight sight{camera};
  const std::vector<Facet> facets = facets_of(mesh, camera, content);
  const Vec<3> light = normalized(-0.45 * camera.right + 0.75 * camera.up + 0.55 * camera.toward);
  std::vector<char> in_front(mesh.triangles.size(), 0);
  for (const Facet& f : facets) in_front[at(f.triangle)] = f.before;
  if (facets.size() <= most_filled)
    for (const Facet& f : facets) {
      if (f.before != before) continue;
      Point corners[3];
      for (std::size_t k = 0; k < 3; ++k) corners[k] = camera.project(mesh.vertices[at(mesh.triangles[at(f.triangle)][k])]).at;
      const double wear = mesh.wear.empty() ? 0.0 : mesh.wear[at(f.triangle)];
      const double shade = dot(f.normal, light);
      if (before && !mesh.inner) {
        canvas.polygon(corners, worn(grey(0.45), wear, 0.07 + 0.4 * wear));
      } else {
        const Colour fill = worn(mesh.inner ? steel(shade) : grey(0.80 + 0.13 * shade), wear, before ? 0.5 : 1.0);
        canvas.polygon(corners, fill, before ? 0.0 : 0.7, fill);  // over the seams
      }
    }
  for (std::size_t k = 0; k < mesh.edges.size(); ++k) {
    const DrawnMesh::Edge& e = mesh.edges[k];
    const Vec<3>&p = mesh.vertices[at(e.vertices[0])], &q = mesh.vertices[at(e.vertices[1])];
    if (mesh.triangles.empty()) {  // the plane
      const Colour colour = mesh.wear.empty() ? grey(0.25) : worn(grey(0.25), mesh.wear[k], 1.0);
      if (!before) canvas.line(camera.project(p).at, camera.project(q).at, 0.2 * letter, colour);
      continue;
    }
    bool front = in_front[at(e.triangles[0])] != 0, outline = e.sharp;
    if (e.triangles[1] >= 0) {
      front = front || in_front[at(e.triangles[1])] != 0;
      if (!outline) {  // one face seen from one side, the other from the other
        const auto seen = [&](std::int32_t t) {
          const auto& [i, j, k] = mesh.triangles[at(t)];
          const Vec<3>& a = mesh.vertices[at(i)];
          return dot(cross(mesh.vertices[at(j)] - a, mesh.vertices[at(k)] - a), sight.to_viewer(a));
        };
        outline = seen(e.triangles[0]) * seen(e.triangles[1]) < 0.0;
      }
    }
    if (outline && front == before)
      canvas.line(camera.project(p).at, camera.project(q).at, 0.07 * letter, grey(0.35, before ? 0.6 : 0.8));
  }
}

}  // namespace

// Roots show where little is worn.
Colour worn(const Colour& fresh, double wear, double opacity) {
  const double w = std::sqrt(std::clamp(wear, 0.0, 1.0));
  return {fresh.red + w * (0.72 - fresh.red), fresh.green * (1.0 - w), fresh.blue * (1.0 - w) + 0.08 * w, opacity};
}

Box DrawnMesh::box() const {
  Box box{vertices[0], vertices[0]};
  for (const Vec<3>& v : vertices)
    for (int k = 0; k < 3; ++k) box.low[k] = std::min(box.low[k], v[k]), box.high[k] = std::max(box.high[k], v[k]);
  return box;
}

template <int D>
std::vector<DrawnMesh> meshes_of(const Frame<D>& frame, double darkest) {
  std::vector<DrawnMesh> meshes;
  for (std::size_t w = 0; w < frame.walls.size(); ++w) {
    const WallGeometry<D>& wall = frame.walls[w].geometry;
    if (!wall.mesh) continue;
    const Pose<D> pose = frame.pose_of_wall(w);
    DrawnMesh drawn;
    for (const Vec<D>& v : wall.mesh->mesh.vertices) drawn.vertices.push_back(lifted(pose.place(v)));
    add_edges(drawn, wall.mesh->mesh);
    drawn.wear = wear_per_area(frame, w);
    for (double& wear : drawn.wear) wear = darkest > 0.0 ? wear / darkest : 0.0;
    meshes.push_back(std::move(drawn));
  }
  mark_inner(meshes);
  return meshes;
}

template <int D>
double most_worn(const Frame<D>& frame) {
  double most = 0.0;
  for (std::size_t w = 0; w < frame.walls.size(); ++w)
    if (frame.walls[w].geometry.mesh)
      for (const double wear : wear_per_area(frame, w)) most = std::max(most, wear);
  return most;
}

void draw_meshes_behind(Canvas& canvas, const Camera& camera, const std::vector<DrawnMesh>& meshes, const Box& content,
                        double letter) {
  for (const DrawnMesh& mesh : meshes) draw(canvas, camera, mesh, content, letter, false);
}
void draw_meshes_before(Canvas& canvas, const Camera& camera, const std::vector<DrawnMesh>& meshes, const Box& content,
                        double letter) {
  for (const DrawnMesh& mesh : meshes) draw(canvas, camera, mesh, content, letter, true);
}

template std::vector<DrawnMesh> meshes_of(const Frame<2>&, double);
template std::vector<DrawnMesh> meshes_of(const Frame<3>&, double);
template double most_worn(const Frame<2>&);
template double most_worn(const Frame<3>&);

}  // namespace moreau::inline draw
