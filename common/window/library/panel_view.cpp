#include "panel_view.hpp"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace cudabook {

namespace {

/// The height of the text in pixels: a fortieth of the framebuffer's shorter side, but large enough to read.
int text_height(Size framebuffer) {
    constexpr int least = 13;
    return std::max(least, std::min(framebuffer.width, framebuffer.height) / 40);
}

/// The file of DejaVu Sans on Debian, Fedora, Arch or openSUSE; null if there is none.
const char* font_file() {
    for (const char* file :
         {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
          "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf",
          "/usr/share/fonts/truetype/DejaVuSans.ttf"})
        if (access(file, R_OK) == 0) return file;
    return nullptr;
}

void text(const std::string& line) { ImGui::TextUnformatted(line.data(), line.data() + line.size()); }

void lay_out_panel(const Panel& panel, const ImVec4& accent, float unit) {
    constexpr float bar_width = 17;
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

/// `unit`: the height of the text.
void lay_out(const Panel& panel, bool with_panel, bool with_keys, float unit) {
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
    if (with_panel) lay_out_panel(panel, accent, unit);
    if (with_panel && with_keys) ImGui::Separator();
    if (with_keys) lay_out_keys(panel, accent);
    ImGui::End();
    ImGui::PopStyleVar(4);
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
            constexpr int bitmap_height = 13;  // of the built-in font, which is sharp at multiples of that
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

void PanelView::draw(const Panel& panel, bool with_panel, bool with_keys, Size framebuffer) {
    if (!with_panel && !with_keys) return;
    const int height = text_height(framebuffer);
    if (!context_ || context_->height() != height) {
        context_.reset();
        context_ = std::make_unique<Context>(height);
    }
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::GetIO().DisplaySize = {static_cast<float>(framebuffer.width),
                                  static_cast<float>(framebuffer.height)};
    // Dear ImGui sizes a window by its content in the previous pass, so the panel is laid out twice.
    for (int pass = 0; pass < 2; ++pass) {
        ImGui::NewFrame();
        lay_out(panel, with_panel, with_keys, ImGui::GetFontSize());
        ImGui::EndFrame();
    }
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace cudabook
