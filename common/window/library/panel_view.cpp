#include "panel_view.hpp"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "common/picture/font_file.hpp"

namespace cudabook {

namespace {

/// The height of the text in pixels: a fortieth of the framebuffer's shorter side, but large enough to read.
int text_height(Size framebuffer) {
    constexpr int least = 13;
    return std::max(least, std::min(framebuffer.width, framebuffer.height) / 40);
}

void text(const std::string& line) { ImGui::TextUnformatted(line.data(), line.data() + line.size()); }

/// The first row and column are headings; numbers end at the right.
void lay_out_table(const std::vector<std::vector<std::string>>& rows, const ImVec4& accent) {
    if (rows.empty() || !ImGui::BeginTable("table", static_cast<int>(rows.front().size()),
                                           ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoHostExtendX))
        return;
    for (const auto& row : rows) {
        ImGui::TableNextRow();
        for (std::size_t column = 0; column < row.size(); ++column) {
            ImGui::TableNextColumn();
            const bool heading = column == 0 || &row == &rows.front();
            if (heading) ImGui::PushStyleColor(ImGuiCol_Text, accent);
            const float width = ImGui::CalcTextSize(row[column].c_str()).x;
            const float space = ImGui::GetContentRegionAvail().x - width;
            if (column > 0 && space > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + space);
            text(row[column]);
            if (heading) ImGui::PopStyleColor();
        }
    }
    ImGui::EndTable();
}

void lay_out_panel(const Panel& panel, const ImVec4& accent, float unit) {
    constexpr float bar_width = 17;
    ImGui::PushStyleColor(ImGuiCol_Text, accent);
    text(panel.title);
    ImGui::PopStyleColor();
    for (const std::string& line : panel.lines) text(line);
    lay_out_table(panel.table, accent);
    if (panel.share) {
        const auto share = static_cast<float>(std::clamp(*panel.share, 0.0, 1.0));
        ImGui::ProgressBar(share, {bar_width * unit, 1.25F * unit}, panel.share_label.c_str());
    }
    ImGui::PushTextWrapPos(bar_width * unit);
    if (!panel.note.empty()) text(panel.note);
    ImGui::PopTextWrapPos();
}

void lay_out_keys(const Panel& panel, const ImVec4& accent) {
    if (!ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingFixedFit)) return;
    for (const auto& [key, what] : panel.keys) {
        ImGui::TableNextColumn();
        ImGui::PushStyleColor(ImGuiCol_Text, accent);
        text(key);
        ImGui::PopStyleColor();
        ImGui::TableNextColumn();
        text(what);
    }
    ImGui::EndTable();
}

/// Text on a dark plate, centred at a point of the framebuffer, whose rows count from the top.
void draw_label(const std::string& label, const ImVec2& centre, float unit) {
    constexpr ImU32 plate = IM_COL32(13, 15, 20, 200);
    constexpr ImU32 white = IM_COL32(255, 255, 255, 255);
    const ImVec2 size = ImGui::CalcTextSize(label.c_str());
    const ImVec2 first{std::floor(centre.x - size.x / 2), std::floor(centre.y - size.y / 2)};
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.AddRectFilled({first.x - 0.3F * unit, first.y - 0.1F * unit},
                       {first.x + size.x + 0.3F * unit, first.y + size.y + 0.1F * unit}, plate, 0.3F * unit);
    list.AddText(first, white, label.c_str());
}

void draw_labels(const std::vector<Label>& labels, Size framebuffer, Size grid, float unit) {
    const Rectangle picture = place(grid, framebuffer);
    for (const Label& label : labels) {
        const double x = picture.left + label.x * picture.size.width / grid.width;
        const double y = framebuffer.height - (picture.bottom + label.y * picture.size.height / grid.height);
        draw_label(label.text, {static_cast<float>(x), static_cast<float>(y)}, unit);
    }
}

/// Lays out one window with the panel and the keys. `unit`: the height of the text; `beside`: whether the
/// keys are beside the panel. Returns the lower edge of the window, in pixels from the top.
float lay_out(const Panel& panel, bool with_panel, bool with_keys, bool beside, float unit) {
    const ImVec4 accent{1, 0.82F, 0.40F, 1};
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.6F * unit, 0.45F * unit});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.6F * unit, 0.22F * unit});
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {0.4F * unit, 0.08F * unit});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.3F * unit);
    ImGui::SetNextWindowPos({0.5F * unit, 0.5F * unit});
    ImGui::Begin("panel", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                     ImGuiWindowFlags_AlwaysAutoResize);
    if (with_panel) {
        ImGui::BeginGroup();
        lay_out_panel(panel, accent, unit);
        ImGui::EndGroup();
    }
    if (with_panel && with_keys) {
        if (beside)
            ImGui::SameLine(0, 2 * unit);
        else
            ImGui::Separator();
    }
    if (with_keys) {
        ImGui::BeginGroup();
        lay_out_keys(panel, accent);
        ImGui::EndGroup();
    }
    const float bottom = ImGui::GetWindowPos().y + ImGui::GetCursorPosY() + 0.45F * unit;
    ImGui::End();
    ImGui::PopStyleVar(4);
    return bottom;
}

}  // namespace

/// A Dear ImGui context with one font in one size, which works in every version of Dear ImGui.
class PanelView::Context {
  public:
    explicit Context(int height) : height_(height), context_(ImGui::CreateContext(), ImGui::DestroyContext) {
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.LogFilename = nullptr;
        if (const char* file = font_file()) {
            io.Fonts->AddFontFromFileTTF(file, static_cast<float>(height));
        } else {
            constexpr int bitmap_height = 13;  // the built-in font's height; multiples of it are sharp
            ImFontConfig font;
            font.SizePixels = static_cast<float>(std::max(1, height / bitmap_height) * bitmap_height);
            io.Fonts->AddFontDefault(&font);
        }
        ImGuiStyle& style = ImGui::GetStyle();
        style.WindowBorderSize = 0;
        style.Colors[ImGuiCol_WindowBg] = {0.05F, 0.06F, 0.08F, 0.78F};
        style.Colors[ImGuiCol_PlotHistogram] = {0.20F, 0.52F, 0.80F, 1};
        style.Colors[ImGuiCol_FrameBg] = {1, 1, 1, 0.16F};
        ImGui_ImplOpenGL3_Init("#version 330 core");
    }
    ~Context() { ImGui_ImplOpenGL3_Shutdown(); }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    [[nodiscard]] int height() const { return height_; }

  private:
    int height_;
    std::unique_ptr<ImGuiContext, void (*)(ImGuiContext*)> context_;
};

PanelView::PanelView() = default;
PanelView::~PanelView() = default;

void PanelView::draw(const Panel& panel, bool with_panel, bool with_keys, Size framebuffer, Size grid) {
    if (!with_panel && !with_keys) return;
    const int height = text_height(framebuffer);
    if (!context_ || context_->height() != height) {
        context_.reset();
        context_ = std::make_unique<Context>(height);
    }
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::GetIO().DisplaySize = {static_cast<float>(framebuffer.width),
                                  static_cast<float>(framebuffer.height)};
    // Dear ImGui sizes a window, and the columns of a table, by the content in the previous pass.
    constexpr int passes = 4;
    bool beside = false;
    for (int pass = 0; pass < passes; ++pass) {
        ImGui::NewFrame();
        const float unit = ImGui::GetFontSize();
        const float bottom = lay_out(panel, with_panel, with_keys, beside, unit);
        if (pass == 0) beside = bottom > static_cast<float>(framebuffer.height);
        if (with_panel) draw_labels(panel.labels, framebuffer, grid, unit);
        ImGui::EndFrame();
    }
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace cudabook
