#include "tests/support/published.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/folders.hpp"

namespace cudabook::test {

std::string published_checksum(const std::string& program, const std::string& options,
                               const std::string& kernel) {
    std::ifstream table(std::string(source_folder) + "/results/checksums.csv");
    for (std::string line; std::getline(table, line);) {
        std::istringstream fields(line);
        std::vector<std::string> row;  // program, options, small, kernels, where, checksum, what
        for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
        if (row.size() < 6 || row[0] != program || row[1] != options || row[3] != kernel) continue;
        if (kernel != "all" || row[4].empty()) return row[5];
    }
    throw std::out_of_range(program + " " + options + " is not in results/checksums.csv");
}

}  // namespace cudabook::test
