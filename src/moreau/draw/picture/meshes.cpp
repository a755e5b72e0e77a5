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

// Whether a ray from the point along a horizontal axis (0 or 1) meets the mesh.
bool meets(const DrawnMesh& mesh, const Vec<3>& point, int axis, double sign) {
  const int across = 1 - axis;
  return std::ranges::any_of(mesh.triangles, [&](const std::array<std::int32_t, 3>& t) {
    // Seen along the ray: areas of the point with each side, all of one sign where it is within, weigh the corners.
    double area[3], sum = 0.0, way = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec<3>&p = mesh.vertices[at(t[(k + 1) % 3])], &q = mesh.vertices[at(t[(k + 2) % 3])];
      area[k] = (p[across] - point[across]) * (q[2] - point[2]) - (q[across] - point[across]) * (p[2] - point[2]);
      sum += area[k];
    }
    if (sum == 0.0 || std::ranges::any_of(area, [&](double a) { return a * sum < 0.0; })) return false;
    for (std::size_t k = 0; k < 3; ++k) way += area[k] / sum * mesh.vertices[at(t[k])][axis];
    return sign * (way - point[axis]) > 0.0;
  });
}

// What faces lie before or behind of: the middle of the bodies. Of a vessel that they are in or below, which surrounds its axis (at
// least three of four rays meet it), no point lower than its own middle: when the bodies have sunk through a hopper, its far side is
// still its far side.
Vec<3> middle_of_content(const DrawnMesh& mesh, const Box& content) {
  const Vec<3> bodies = content.centre();
  if (mesh.triangles.empty()) return bodies;
  const Box box = mesh.box();
  const Vec<3> within = box.centre();
  const bool aside = bodies[0] < box.low[0] || bodies[0] > box.high[0] || bodies[1] < box.low[1] || bodies[1] > box.high[1];
  if (aside || within[2] <= bodies[2]) return bodies;
  int met = 0;
  for (const int axis : {0, 1})
    for (const double sign : {-1.0, 1.0}) met += meets(mesh, within, axis, sign) ? 1 : 0;
  return met >= 3 ? within : bodies;
}

std::vector<Facet> facets_of(const DrawnMesh& mesh, const Camera& camera, const Box& content) {
  const Vec<3> inside = middle_of_content(mesh, content);
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
        {static_cast<std::int32_t>(t), normal, dot(inside - middle, normal) < 0.0, camera.project(middle).depth});
  }
  std::stable_sort(facets.begin(), facets.end(), [](const Facet& p, const Facet& q) { return p.depth < q.depth; });
  return facets;
}

Vec<3> light_of(const Camera& camera) {
  return normalized(-0.45 * camera.right + 0.75 * camera.up + 0.55 * camera.toward);
}

// Edges where the surface is folded, or where one face is seen from one side and the next from the other.
bool is_outline(const DrawnMesh& mesh, const DrawnMesh::Edge& e, const Camera& camera) {
  if (e.sharp || e.triangles[1] < 0) return true;
  const auto seen = [&](std::int32_t t) {
    const auto& [i, j, k] = mesh.triangles[at(t)];
    const Vec<3>& a = mesh.vertices[at(i)];
    return dot(cross(mesh.vertices[at(j)] - a, mesh.vertices[at(k)] - a), Sight{camera}.to_viewer(a));
  };
  return seen(e.triangles[0]) * seen(e.triangles[1]) < 0.0;
}

void draw(Canvas& canvas, const Camera& camera, const DrawnMesh& mesh, const Box& content, double letter, bool before) {
  const std::vector<Facet> facets = facets_of(mesh, camera, content);
  const Vec<3> light = light_of(camera);
  std::vector<char> in_front(mesh.triangles.size(), 0);
  for (const Facet& f : facets) in_front[at(f.triangle)] = f.before;
  if (facets.size() <= most_filled)
    for (const Facet& f : facets) {
      if (f.before != before) continue;
      Point corners[3];
      for (std::size_t k = 0; k < 3; ++k) corners[k] = camera.project(mesh.vertices[at(mesh.triangles[at(f.triangle)][k])]).at;
      if (before) {  // a veil, without the colour of wear: what lies behind it keeps its own
        canvas.polygon(corners, grey(0.45, 0.07));
      } else {
        const double wear = mesh.wear.empty() ? 0.0 : mesh.wear[at(f.triangle)];
        const Colour fill = worn(grey(0.80 + 0.13 * dot(f.normal, light)), wear, 1.0);
        canvas.polygon(corners, fill, 0.7, fill);  // over the seams
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
    const bool front = in_front[at(e.triangles[0])] != 0 || (e.triangles[1] >= 0 && in_front[at(e.triangles[1])] != 0);
    if (front == before && is_outline(mesh, e, camera))
      canvas.line(camera.project(p).at, camera.project(q).at, 0.07 * letter, grey(0.35, before ? 0.6 : 0.8));
  }
}

// Cut in two across its longest side until no side is longer than `most`; each piece has one depth.
void cut(const std::array<Vec<3>, 3>& corners, double most, int depth, std::vector<std::array<Vec<3>, 3>>& pieces) {
  std::size_t longest = 0;
  double length = 0.0;
  for (std::size_t k = 0; k < 3; ++k)
    if (const double side = norm(corners[(k + 1) % 3] - corners[k]); side > length) length = side, longest = k;
  if (length <= most || depth == 0) return pieces.push_back(corners);
  const Vec<3>&a = corners[longest], &b = corners[(longest + 1) % 3], &c = corners[(longest + 2) % 3], middle = 0.5 * (a + b);
  cut({a, middle, c}, most, depth - 1, pieces);
  cut({middle, b, c}, most, depth - 1, pieces);
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

std::vector<MeshPiece> pieces_among(const std::vector<DrawnMesh>& meshes, const Camera& camera, double size, double letter) {
  std::vector<MeshPiece> pieces;
  const Vec<3> light = light_of(camera);
  for (const DrawnMesh& mesh : meshes) {
    if (!mesh.inner) continue;
    const int halvings = mesh.triangles.size() > 20'000 ? 0 : 10;  // fine ones are pieces already
    for (const Facet& f : facets_of(mesh, camera, {})) {
      std::array<Vec<3>, 3> corners;
      for (std::size_t k = 0; k < 3; ++k) corners[k] = mesh.vertices[at(mesh.triangles[at(f.triangle)][k])];
      std::vector<std::array<Vec<3>, 3>> parts;
      cut(corners, size, halvings, parts);
      const Colour fill = worn(steel(dot(f.normal, light)), mesh.wear.empty() ? 0.0 : mesh.wear[at(f.triangle)], 1.0);
      for (const auto& [a, b, c] : parts)
        pieces.push_back({camera.project((1.0 / 3.0) * (a + b + c)).depth,
                          {camera.project(a).at, camera.project(b).at, camera.project(c).at},
                          fill});
    }
    for (const DrawnMesh::Edge& e : mesh.edges) {
      if (!is_outline(mesh, e, camera)) continue;
      const Vec<3>&p = mesh.vertices[at(e.vertices[0])], &q = mesh.vertices[at(e.vertices[1])];
      const int parts = halvings == 0 ? 1 : std::clamp(static_cast<int>(std::ceil(norm(q - p) / size)), 1, 1000);
      for (int k = 0; k < parts; ++k) {
        const Vec<3> from = p + (static_cast<double>(k) / parts) * (q - p), to = p + ((k + 1.0) / parts) * (q - p);
        // A little nearer, so that it is not covered by the faces that it bounds.
        pieces.push_back({camera.project(0.5 * (from + to) + 0.3 * size * camera.toward).depth,
                          {camera.project(from).at, camera.project(to).at},
                          grey(0.35, 0.8),
                          0.07 * letter});
      }
    }
  }
  std::stable_sort(pieces.begin(), pieces.end(), [](const MeshPiece& p, const MeshPiece& q) { return p.depth < q.depth; });
  return pieces;
}

void draw_piece(Canvas& canvas, const MeshPiece& piece) {
  if (piece.corners.size() == 2)
    canvas.line(piece.corners[0], piece.corners[1], piece.width, piece.colour);
  else
    canvas.polygon(piece.corners, piece.colour, 0.7, piece.colour);  // over the seams
}

void draw_meshes_behind(Canvas& canvas, const Camera& camera, const std::vector<DrawnMesh>& meshes, const Box& content,
                        double letter) {
  for (const DrawnMesh& mesh : meshes)
    if (!mesh.inner) draw(canvas, camera, mesh, content, letter, false);
}
void draw_meshes_before(Canvas& canvas, const Camera& camera, const std::vector<DrawnMesh>& meshes, const Box& content,
                        double letter) {
  for (const DrawnMesh& mesh : meshes)
    if (!mesh.inner) draw(canvas, camera, mesh, content, letter, true);
}

template std::vector<DrawnMesh> meshes_of(const Frame<2>&, double);
template std::vector<DrawnMesh> meshes_of(const Frame<3>&, double);
template double most_worn(const Frame<2>&);
template double most_worn(const Frame<3>&);

}  // namespace moreau::inline draw
