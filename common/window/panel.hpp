// The panel on the window: what runs and how fast, and the list of keys. Drawn by Dear ImGui.
// CUDABOOK_HAS_PANEL (0 or 1, set by CMake) says whether that is there; only this header asks.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#if CUDABOOK_HAS_PANEL
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#endif

namespace cudabook {

/// What stands on the panel; in ASCII.
struct Panel {
    std::string title;
    std::vector<std::string> lines;
    std::optional<double> share;  ///< the length of the bar, 1 is full; none: no bar
    std::string share_label;
    std::string note;                                       ///< below the bar
    std::vector<std::pair<std::string, std::string>> keys;  ///< each key and what it does

    friend bool operator==(const Panel& one, const Panel& other) {
        return std::tie(one.title, one.lines, one.share, one.share_label, one.note, one.keys) ==
               std::tie(other.title, other.lines, other.share, other.share_label, other.note, other.keys);
    }
};

#if CUDABOOK_HAS_PANEL

/// Draws panels in the OpenGL context that is current. It takes no input and writes no file.
class PanelView {
  public:
    PanelView() : context_(ImGui::CreateContext(), ImGui::DestroyContext) {
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.LogFilename = nullptr;
        for (std::size_t i = 0; i < fonts_.size(); ++i) {
            ImFontConfig font;
            font.SizePixels = 13.0F * static_cast<float>(1U << i);  // which this font is made for
            fonts_[i] = io.Fonts->AddFontDefault(&font);
        }
        ImGuiStyle& style = ImGui::GetStyle();
        style.WindowBorderSize = 0;
        style.Colors[ImGuiCol_WindowBg] = {0.05F, 0.06F, 0.08F, 0.78F};
        style.Colors[ImGuiCol_PlotHistogram] = {0.20F, 0.52F, 0.80F, 1};
        style.Colors[ImGuiCol_FrameBg] = {1, 1, 1, 0.16F};
        ImGui_ImplOpenGL3_Init("#version 330 core");
    }
    ~PanelView() { ImGui_ImplOpenGL3_Shutdown(); }
    PanelView(const PanelView&) = delete;
    PanelView& operator=(const PanelView&) = delete;

    /// Draws the panel at the top left of a framebuffer of that size, the keys below it.
    void draw(const Panel& panel, bool with_panel, bool with_keys, int width, int height) {
        if (!with_panel && !with_keys) return;
        ImGui_ImplOpenGL3_NewFrame();
        ImGui::GetIO().DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
        // Dear ImGui makes a window as large as what it held the last time: so it is laid out twice.
        for (int pass = 0; pass < 2; ++pass) {
            ImGui::NewFrame();
            const int side = std::min(width, height);
            ImGui::PushFont(fonts_[side < 720 ? 0 : side < 1536 ? 1 : 2]);
            lay_out(panel, with_panel, with_keys, ImGui::GetFontSize());
            ImGui::PopFont();
            ImGui::EndFrame();
        }
        ImGui::Render();
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    }

  private:
    static void lay_out(const Panel& panel, bool with_panel, bool with_keys, float unit) {
        constexpr float bar_width = 17;
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
            ImGui::PushStyleColor(ImGuiCol_Text, accent);
            text(panel.title);
            ImGui::PopStyleColor();
            for (const std::string& line : panel.lines) text(line);
            if (panel.share) {
                const auto share = static_cast<float>(std::clamp(*panel.share, 0.0, 1.0));
                ImGui::ProgressBar(share, {bar_width * unit, 1.25F * unit}, panel.share_label.c_str());
            }
            ImGui::PushTextWrapPos(bar_width * unit);
            if (!panel.note.empty()) text(panel.note);
            ImGui::PopTextWrapPos();
        }
        if (with_panel && with_keys) ImGui::Separator();
        if (with_keys && ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingFixedFit)) {
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
        ImGui::End();
        ImGui::PopStyleVar(4);
    }

    static void text(const std::string& line) {
        ImGui::TextUnformatted(line.data(), line.data() + line.size());
    }

    std::unique_ptr<ImGuiContext, void (*)(ImGuiContext*)> context_;
    std::array<ImFont*, 3> fonts_{};  ///< of 13, 26 and 52 pixels
};

#else

/// Stands where the panel would be drawn, in a program that was built without Dear ImGui.
class PanelView {
  public:
    void draw(const Panel& /*panel*/, bool /*with_panel*/, bool /*with_keys*/, int /*width*/,
              int /*height*/) {}
};

#endif

}  // namespace cudabook
