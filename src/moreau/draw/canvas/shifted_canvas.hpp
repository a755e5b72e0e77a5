// A part of another canvas, for pictures beside each other: all that is drawn is moved by an offset.
#pragma once

#include <vector>

#include "moreau/draw/canvas/canvas.hpp"

namespace moreau::inline draw {

class ShiftedCanvas final : public Canvas {
 public:
  ShiftedCanvas(Canvas& sheet, Point offset) : sheet_(&sheet), offset_(offset) {}

  void disc(Point centre, double radius, Colour fill, double outline_width, Colour outline) override {
    sheet_->disc(moved(centre), radius, fill, outline_width, outline);
  }
  void ball(Point centre, double radius, Colour fill) override { sheet_->ball(moved(centre), radius, fill); }
  void ring(Point centre, double radius, double width, Colour colour) override {
    sheet_->ring(moved(centre), radius, width, colour);
  }
  void line(Point from, Point to, double width, Colour colour) override { sheet_->line(moved(from), moved(to), width, colour); }
  void polyline(std::span<const Point> points, double width, Colour colour) override {
    sheet_->polyline(moved(points), width, colour);
  }
  void polygon(std::span<const Point> corners, Colour fill, double outline_width, Colour outline) override {
    sheet_->polygon(moved(corners), fill, outline_width, outline);
  }
  void text(Point at, const std::string& words, const TextStyle& style) override { sheet_->text(moved(at), words, style); }
  void clip(const Rectangle& w) override {
    sheet_->clip({w.left + offset_.x, w.top + offset_.y, w.right + offset_.x, w.bottom + offset_.y});
  }
  void unclip() override { sheet_->unclip(); }
  void write() override {}  // the whole sheet is written at once

 private:
  Point moved(Point p) const { return {p.x + offset_.x, p.y + offset_.y}; }
  std::vector<Point> moved(std::span<const Point> points) const {
    std::vector<Point> result;
    for (const Point& p : points) result.push_back(moved(p));
    return result;
  }

  Canvas* sheet_;
  Point offset_;
};

}  // namespace moreau::inline draw
