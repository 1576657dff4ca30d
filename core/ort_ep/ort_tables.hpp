// What this library uses of onnxruntime's C interface: entries of its function tables, by number.
//
// The tables only ever grow at their end, so that a number keeps its meaning in every later version. A table lists the
// entries that are called and leaves the room of all others; static_assert keeps the numbers. The names are those of
// onnxruntime. Source: the headers of onnxruntime 1.24, tried with 1.32.
#pragma once

#include <cstddef>
#include <cstdint>

namespace halfpixel::ort {

constexpr std::uint32_t api_version = 24;  // the first with kernels in a provider of one's own

struct Status;
struct Value;
struct TypeInfo;
struct TensorInfo;
struct KernelInfo;
struct KernelContext;
struct Graph;
struct Node;
struct HardwareDevice;
struct EpDevice;
struct KeyValuePairs;
struct SessionOptions;
struct Logger;
struct SupportInfo;
struct KernelRegistry;
struct KernelDefBuilder;
struct KernelDef;
struct EpApi;
struct Ep;
struct EpFactory;
struct KernelImpl;
struct DataTransferImpl;

enum StatusCode : int { fail = 1, invalid_argument = 2, runtime_exception = 6 };
enum HardwareDeviceType : int { cpu = 0 };
constexpr std::int32_t string_element = 8;  // of the numbers of element types, which are ONNX's own

using Slot = void (*)();

struct Api {
    Status* (*CreateStatus)(int code, const char* message);
    Slot slots_1[50];
    Status* (*GetTensorMutableData)(Value*, void** data);
    Slot slots_52[1];
    Status* (*GetStringTensorDataLength)(const Value*, std::size_t* bytes);
    Status* (*GetStringTensorContent)(const Value*, void* bytes, std::size_t size, std::size_t* offsets,
                                      std::size_t count);
    Status* (*CastTypeInfoToTensorInfo)(const TypeInfo*, const TensorInfo** info);
    Slot slots_56[4];
    Status* (*GetTensorElementType)(const TensorInfo*, std::int32_t* element_type);
    Status* (*GetDimensionsCount)(const TensorInfo*, std::size_t* rank);
    Status* (*GetDimensions)(const TensorInfo*, std::int64_t* shape, std::size_t rank);
    Slot slots_63[2];
    Status* (*GetTensorTypeAndShape)(const Value*, TensorInfo** info);
    Slot slots_66[19];
    Status* (*KernelInfoGetAttribute_float)(const KernelInfo*, const char* name, float* value);
    Status* (*KernelInfoGetAttribute_int64)(const KernelInfo*, const char* name, std::int64_t* value);
    Status* (*KernelInfoGetAttribute_string)(const KernelInfo*, const char* name, char* text, std::size_t* size);
    Status* (*KernelContext_GetInputCount)(const KernelContext*, std::size_t* count);
    Slot slots_89[1];
    Status* (*KernelContext_GetInput)(const KernelContext*, std::size_t index, const Value** value);
    Status* (*KernelContext_GetOutput)(KernelContext*, std::size_t index, const std::int64_t* shape, std::size_t rank,
                                       Value** value);
    Slot slots_92[1];
    void (*ReleaseStatus)(Status*);
    Slot slots_94[4];
    void (*ReleaseTypeInfo)(TypeInfo*);
    void (*ReleaseTensorTypeAndShapeInfo)(TensorInfo*);
    Slot slots_100[62];
    Status* (*KernelInfoGetAttributeArray_float)(const KernelInfo*, const char* name, float* values,
                                                 std::size_t* count);
    Status* (*KernelInfoGetAttributeArray_int64)(const KernelInfo*, const char* name, std::int64_t* values,
                                                 std::size_t* count);
    Slot slots_164[66];
    Status* (*KernelInfo_GetInputCount)(const KernelInfo*, std::size_t* count);
    Slot slots_231[1];
    Status* (*KernelInfo_GetInputName)(const KernelInfo*, std::size_t index, char* text, std::size_t* size);
    Slot slots_233[1];
    Status* (*KernelInfo_GetInputTypeInfo)(const KernelInfo*, std::size_t index, TypeInfo** info);
    Slot slots_235[14];
    Status* (*KernelInfoGetConstantInput_tensor)(const KernelInfo*, std::size_t index, int* is_constant,
                                                 const Value** value);
    Slot slots_250[2];
    Status* (*GetResizedStringTensorElementBuffer)(Value*, std::size_t index, std::size_t bytes, char** buffer);
    Slot slots_253[21];
    Status* (*KernelContext_ParallelFor)(const KernelContext*, void (*task)(void*, std::size_t), std::size_t tasks,
                                         std::size_t batches, void* context);
    Slot slots_275[32];
    HardwareDeviceType (*HardwareDevice_Type)(const HardwareDevice*);
    Slot slots_308[9];
    const EpApi* (*GetEpApi)();
    Slot slots_318[26];
    Status* (*Graph_GetNumNodes)(const Graph*, std::size_t* count);
    Status* (*Graph_GetNodes)(const Graph*, const Node** nodes, std::size_t count);
};

struct EpApi {
    Status* (*CreateEpDevice)(EpFactory*, const HardwareDevice*, const KeyValuePairs* metadata,
                              const KeyValuePairs* options, EpDevice** device);
    Slot slots_1[2];
    Status* (*EpGraphSupportInfo_AddSingleNode)(SupportInfo*, const Node*);
    Slot slots_4[14];
    Status* (*CreateKernelRegistry)(KernelRegistry** registry);
    void (*ReleaseKernelRegistry)(KernelRegistry*);
    Status* (*KernelRegistry_AddKernel)(KernelRegistry*, const KernelDef*,
                                        Status* (*create)(void* state, const KernelInfo*, KernelImpl** kernel),
                                        void* state);
    Status* (*CreateKernelDefBuilder)(KernelDefBuilder** builder);
    void (*ReleaseKernelDefBuilder)(KernelDefBuilder*);
    Status* (*KernelDefBuilder_SetOperatorType)(KernelDefBuilder*, const char* op_type);
    Status* (*KernelDefBuilder_SetDomain)(KernelDefBuilder*, const char* domain);
    Status* (*KernelDefBuilder_SetSinceVersion)(KernelDefBuilder*, int first, int last);
    Status* (*KernelDefBuilder_SetExecutionProvider)(KernelDefBuilder*, const char* name);
    Slot slots_27[5];
    Status* (*KernelDefBuilder_Build)(KernelDefBuilder*, KernelDef** definition);
    void (*ReleaseKernelDef)(KernelDef*);
    Slot slots_34[7];
    Status* (*EpGraphSupportInfo_LookUpKernel)(SupportInfo*, const Node*, const KernelDef** definition);
};

// The number of an entry in its table.
#define HALFPIXEL_SLOT(table, entry, number) static_assert(offsetof(table, entry) == (number) * sizeof(Slot))
HALFPIXEL_SLOT(Api, CreateStatus, 0);
HALFPIXEL_SLOT(Api, GetTensorMutableData, 51);
HALFPIXEL_SLOT(Api, GetStringTensorDataLength, 53);
HALFPIXEL_SLOT(Api, GetStringTensorContent, 54);
HALFPIXEL_SLOT(Api, CastTypeInfoToTensorInfo, 55);
HALFPIXEL_SLOT(Api, GetTensorElementType, 60);
HALFPIXEL_SLOT(Api, GetDimensionsCount, 61);
HALFPIXEL_SLOT(Api, GetDimensions, 62);
HALFPIXEL_SLOT(Api, GetTensorTypeAndShape, 65);
HALFPIXEL_SLOT(Api, KernelInfoGetAttribute_float, 85);
HALFPIXEL_SLOT(Api, KernelInfoGetAttribute_int64, 86);
HALFPIXEL_SLOT(Api, KernelInfoGetAttribute_string, 87);
HALFPIXEL_SLOT(Api, KernelContext_GetInputCount, 88);
HALFPIXEL_SLOT(Api, KernelContext_GetInput, 90);
HALFPIXEL_SLOT(Api, KernelContext_GetOutput, 91);
HALFPIXEL_SLOT(Api, ReleaseStatus, 93);
HALFPIXEL_SLOT(Api, ReleaseTypeInfo, 98);
HALFPIXEL_SLOT(Api, ReleaseTensorTypeAndShapeInfo, 99);
HALFPIXEL_SLOT(Api, KernelInfoGetAttributeArray_float, 162);
HALFPIXEL_SLOT(Api, KernelInfoGetAttributeArray_int64, 163);
HALFPIXEL_SLOT(Api, KernelInfo_GetInputCount, 230);
HALFPIXEL_SLOT(Api, KernelInfo_GetInputName, 232);
HALFPIXEL_SLOT(Api, KernelInfo_GetInputTypeInfo, 234);
HALFPIXEL_SLOT(Api, KernelInfoGetConstantInput_tensor, 249);
HALFPIXEL_SLOT(Api, GetResizedStringTensorElementBuffer, 252);
HALFPIXEL_SLOT(Api, KernelContext_ParallelFor, 274);
HALFPIXEL_SLOT(Api, HardwareDevice_Type, 307);
HALFPIXEL_SLOT(Api, GetEpApi, 317);
HALFPIXEL_SLOT(Api, Graph_GetNumNodes, 344);
HALFPIXEL_SLOT(Api, Graph_GetNodes, 345);
HALFPIXEL_SLOT(EpApi, CreateEpDevice, 0);
HALFPIXEL_SLOT(EpApi, EpGraphSupportInfo_AddSingleNode, 3);
HALFPIXEL_SLOT(EpApi, CreateKernelRegistry, 18);
HALFPIXEL_SLOT(EpApi, KernelRegistry_AddKernel, 20);
HALFPIXEL_SLOT(EpApi, CreateKernelDefBuilder, 21);
HALFPIXEL_SLOT(EpApi, KernelDefBuilder_SetExecutionProvider, 26);
HALFPIXEL_SLOT(EpApi, KernelDefBuilder_Build, 32);
HALFPIXEL_SLOT(EpApi, ReleaseKernelDef, 33);
HALFPIXEL_SLOT(EpApi, EpGraphSupportInfo_LookUpKernel, 41);
#undef HALFPIXEL_SLOT

struct ApiBase {
    const Api* (*GetApi)(std::uint32_t version);
    const char* (*GetVersionString)();
};

// What a library implements. onnxruntime reads no member that is newer than the version said, and takes a null for one
// that is left out; the last of version 24 stands last here.
struct EpFactory {
    std::uint32_t ort_version_supported = api_version;
    const char* (*GetName)(const EpFactory*) = nullptr;
    const char* (*GetVendor)(const EpFactory*) = nullptr;
    Status* (*GetSupportedDevices)(EpFactory*, const HardwareDevice* const* devices, std::size_t count,
                                   EpDevice** supported, std::size_t most, std::size_t* found) = nullptr;
    Status* (*CreateEp)(EpFactory*, const HardwareDevice* const* devices, const KeyValuePairs* const* metadata,
                        std::size_t count, const SessionOptions*, const Logger*, Ep** ep) = nullptr;
    void (*ReleaseEp)(EpFactory*, Ep*) = nullptr;
    std::uint32_t (*GetVendorId)(const EpFactory*) = nullptr;
    const char* (*GetVersion)(const EpFactory*) = nullptr;
    Slot ValidateCompiledModelCompatibilityInfo = nullptr;
    Slot CreateAllocator = nullptr, ReleaseAllocator = nullptr;
    Status* (*CreateDataTransfer)(EpFactory*, DataTransferImpl** transfer) = nullptr;  // called without looking
    bool (*IsStreamAware)(const EpFactory*) = nullptr;
    Slot CreateSyncStreamForDevice = nullptr;
    Slot GetHardwareDeviceIncompatibilityDetails = nullptr;
    Slot CreateExternalResourceImporterForDevice = nullptr;
    Slot GetNumCustomOpDomains = nullptr, GetCustomOpDomains = nullptr;
};

struct Ep {
    std::uint32_t ort_version_supported = api_version;
    const char* (*GetName)(const Ep*) = nullptr;
    Status* (*GetCapability)(Ep*, const Graph*, SupportInfo*) = nullptr;
    Slot Compile = nullptr, ReleaseNodeComputeInfos = nullptr;
    Slot GetPreferredDataLayout = nullptr, ShouldConvertDataLayoutForOp = nullptr;
    Slot SetDynamicOptions = nullptr;
    Slot OnRunStart = nullptr, OnRunEnd = nullptr;
    Slot CreateAllocator = nullptr;
    Slot CreateSyncStreamForDevice = nullptr;
    Slot GetCompiledModelCompatibilityInfo = nullptr;
    Status* (*GetKernelRegistry)(Ep*, const KernelRegistry** registry) = nullptr;
    Status* (*IsConcurrentRunSupported)(Ep*, bool* supported) = nullptr;
};

struct KernelImpl {
    std::uint32_t ort_version_supported = api_version;
    std::uint32_t flags = 0;  // onnxruntime's own
    Status* (*Compute)(KernelImpl*, KernelContext*) = nullptr;
    void (*Release)(KernelImpl*) = nullptr;
    Slot PrePackWeight = nullptr, SetSharedPrePackedWeight = nullptr;
};

static_assert(offsetof(EpFactory, IsStreamAware) == 12 * sizeof(Slot));
static_assert(offsetof(Ep, GetKernelRegistry) == 13 * sizeof(Slot));
static_assert(offsetof(KernelImpl, Compute) == sizeof(Slot));

}  // namespace halfpixel::ort
