// The provider as onnxruntime sees it: a factory for one device, a registry of kernels, and the nodes that it takes.
#include <string>
#include <vector>

#include "calls.hpp"
#include "kernel.hpp"

namespace halfpixel::ort {
namespace {

const Api* current_api = nullptr;

const EpApi& ep_api() { return *api().GetEpApi(); }

Status* create_kernel(void* entry, const KernelInfo* info, KernelImpl** kernel) {
    return guarded([&] { *kernel = new Kernel(*static_cast<const OperatorEntry*>(entry), *info); });
}

// For every element type of the operator: those of the versions that an entry names are all known.
void add_kernel(KernelRegistry& registry, const OperatorEntry& entry) {
    const EpApi& ep = ep_api();
    KernelDefBuilder* made = nullptr;
    check(ep.CreateKernelDefBuilder(&made));
    const Owned<KernelDefBuilder> builder(made, ep.ReleaseKernelDefBuilder);
    check(ep.KernelDefBuilder_SetOperatorType(made, entry.op_type));
    check(ep.KernelDefBuilder_SetDomain(made, ""));
    check(ep.KernelDefBuilder_SetSinceVersion(made, entry.first_version, entry.last_version));
    check(ep.KernelDefBuilder_SetExecutionProvider(made, connection().provider_name));
    KernelDef* built = nullptr;
    check(ep.KernelDefBuilder_Build(made, &built));
    const Owned<KernelDef> definition(built, ep.ReleaseKernelDef);
    check(ep.KernelRegistry_AddKernel(&registry, built, create_kernel, const_cast<OperatorEntry*>(&entry)));
}

Owned<KernelRegistry> make_registry() {
    KernelRegistry* made = nullptr;
    check(ep_api().CreateKernelRegistry(&made));
    Owned<KernelRegistry> registry(made, ep_api().ReleaseKernelRegistry);
    for (std::int64_t i = 0; i < connection().entry_count; ++i) add_kernel(*registry, connection().entries[i]);
    return registry;
}

// Takes every node that the registry has a kernel for.
void take_nodes(const Graph& graph, SupportInfo& support) {
    std::size_t count = 0;
    check(api().Graph_GetNumNodes(&graph, &count));
    std::vector<const Node*> nodes(count);
    check(api().Graph_GetNodes(&graph, nodes.data(), count));
    for (const Node* node : nodes) {
        const KernelDef* definition = nullptr;
        check(ep_api().EpGraphSupportInfo_LookUpKernel(&support, node, &definition));
        if (definition) check(ep_api().EpGraphSupportInfo_AddSingleNode(&support, node));
    }
}

class Provider : public Ep {
  public:
    explicit Provider(const KernelRegistry& registry) : registry_(registry) {
        GetName = [](const Ep*) { return connection().provider_name; };
        GetCapability = [](Ep*, const Graph* graph, SupportInfo* support) {
            return guarded([&] { take_nodes(*graph, *support); });
        };
        GetKernelRegistry = [](Ep* self, const KernelRegistry** registry) -> Status* {
            *registry = &static_cast<Provider*>(self)->registry_;
            return nullptr;
        };
        IsConcurrentRunSupported = [](Ep*, bool* supported) -> Status* {
            *supported = true;
            return nullptr;
        };
    }

  private:
    const KernelRegistry& registry_;
};

class Factory : public EpFactory {
  public:
    Factory() : registry_(make_registry()) {
        GetName = [](const EpFactory*) { return connection().provider_name; };
        GetVendor = [](const EpFactory*) { return "halfpixel"; };
        GetVersion = [](const EpFactory*) { return connection().version; };
        GetVendorId = [](const EpFactory*) { return std::uint32_t(0); };
        CreateDataTransfer = [](EpFactory*, DataTransferImpl** transfer) -> Status* {
            *transfer = nullptr;  // everything lies in the CPU's memory
            return nullptr;
        };
        IsStreamAware = [](const EpFactory*) { return false; };
        GetSupportedDevices = [](EpFactory* self, const HardwareDevice* const* devices, std::size_t count,
                                 EpDevice** supported, std::size_t most, std::size_t* found) {
            return guarded([&] { *found = add_devices(*self, devices, count, supported, most); });
        };
        CreateEp = [](EpFactory* self, const HardwareDevice* const*, const KeyValuePairs* const*, std::size_t,
                      const SessionOptions*, const Logger*, Ep** ep) {
            return guarded([&] { *ep = new Provider(*static_cast<Factory*>(self)->registry_); });
        };
        ReleaseEp = [](EpFactory*, Ep* ep) { delete static_cast<Provider*>(ep); };
    }

  private:
    static std::size_t add_devices(EpFactory& factory, const HardwareDevice* const* devices, std::size_t count,
                                   EpDevice** supported, std::size_t most) {
        std::size_t found = 0;
        for (std::size_t i = 0; i < count && found < most; ++i)
            if (api().HardwareDevice_Type(devices[i]) == cpu)
                check(ep_api().CreateEpDevice(&factory, devices[i], nullptr, nullptr, &supported[found++]));
        return found;
    }

    // One for all sessions: it holds no state.
    const Owned<KernelRegistry> registry_;
};

}  // namespace

const Api& api() { return *current_api; }

}  // namespace halfpixel::ort

// The two functions that onnxruntime looks for in a library of providers.
extern "C" __attribute__((visibility("default"))) halfpixel::ort::Status* CreateEpFactories(
    const char*, const halfpixel::ort::ApiBase* base, const halfpixel::ort::Logger*,
    halfpixel::ort::EpFactory** factories, std::size_t most, std::size_t* count) {
    using namespace halfpixel::ort;
    *count = 0;
    current_api = base->GetApi(api_version);
    if (!current_api) return base->GetApi(1)->CreateStatus(fail, "halfpixel needs onnxruntime 1.24 or later");
    return guarded([&] {
        if (!connection().entries) refuse(fail, "register the provider by halfpixel.onnxruntime.register()");
        if (most < 1) refuse(invalid_argument, "no room for a factory");
        factories[0] = new Factory;
        *count = 1;
    });
}

extern "C" __attribute__((visibility("default"))) halfpixel::ort::Status* ReleaseEpFactory(
    halfpixel::ort::EpFactory* factory) {
    delete static_cast<halfpixel::ort::Factory*>(factory);
    return nullptr;
}
