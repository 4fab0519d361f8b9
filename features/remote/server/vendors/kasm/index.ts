import type { RemoteSupplierVendor } from '../port.ts'
import { kasmEnv } from './config.ts'
import { connectKasmPublicApi } from './public-api.ts'
import { connectKasmSessionApi } from './session-api.ts'

/** Kasm Workspaces, with either of its APIs. docs/vendors/kasm.md */
export const kasm: RemoteSupplierVendor = {
  name: 'kasm',
  env: kasmEnv,
  connect: (config, { fetch }) => {
    const { KASM_URL: url, KASM_KEY: key, KASM_SECRET: secret, KASM_IMAGE: image, KASM_API: api } = config as Readonly<Record<string, string | undefined>>
    if (!url || !key || !secret || !image) return undefined
    const access = { url: url.replace(/\/$/, ''), key, secret, image }
    return api === 'public' ? connectKasmPublicApi(access, fetch) : connectKasmSessionApi(access, fetch)
  },
}
