#include "emulator/predicting/operands.hpp"

#include <cstddef>

namespace cudabook::emulation {

std::vector<std::string_view> split_operands(std::string_view operands) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= operands.size(); ++i) {
        if (i == operands.size() || (operands[i] == ',' && depth == 0)) {
            parts.push_back(operands.substr(begin, i - begin));
            begin = i + 1;
        } else {
            depth += operands[i] == '(' ? 1 : operands[i] == ')' ? -1 : 0;
        }
    }
    return parts;
}

std::string without_size(std::string_view name) {
    if (name.starts_with("xmm") || name.starts_with("ymm")) return std::string(name.substr(1));
    if (name.starts_with('r') && name.size() > 1 && name[1] >= '0' && name[1] <= '9')
        return std::string(name.substr(0, name.find_first_of("dwb")));
    if ((name.starts_with('r') || name.starts_with('e')) && name.size() == 3) name.remove_prefix(1);
    if (name.size() > 1 && (name.ends_with('x') || name.ends_with('l') || name.ends_with('h')))
        name.remove_suffix(1);
    return std::string(name);
}

}  // namespace cudabook::emulation
