// NVTX, which does nothing on the emulated GPU.
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>

#include <gtest/gtest.h>

namespace cudabook {
namespace {

TEST(CudaNvtx, ReturnsWhatItDoesWithoutATool) {
    nvtxEventAttributes_t event{};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.payloadType = NVTX_PAYLOAD_TYPE_INT32;
    event.payload.iValue = 1;
    event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii = "event";
    const nvtxDomainHandle_t domain = nvtxDomainCreate("domain");
    EXPECT_EQ(domain, nullptr);
    EXPECT_EQ(nvtxDomainRegisterString(domain, "text"), nullptr);
    EXPECT_EQ(nvtxRangePush("range"), NVTX_NO_PUSH_POP_TRACKING);
    EXPECT_EQ(nvtxRangePop(), NVTX_NO_PUSH_POP_TRACKING);
    EXPECT_EQ(nvtxRangeStartEx(&event), 0U);
    EXPECT_EQ(nvtxDomainRangePushEx(domain, &event), NVTX_NO_PUSH_POP_TRACKING);
    nvtxNameCudaStream(cudaStreamLegacy, "stream");
    nvtxDomainDestroy(domain);
}

}  // namespace
}  // namespace cudabook
