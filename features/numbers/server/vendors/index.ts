import { allowsSandbox } from '#platform/server/config.ts'
import type { Deps, RawRoute, SandboxPanel } from '#platform/server/feature.ts'
import { withFaults } from '#platform/server/suppliers/faults.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import type { SupplierPort } from '#platform/server/suppliers/ports.ts'
import { fiveSim } from './five-sim/index.ts'
import { handlerApi } from './handler-api/index.ts'
import type { NumberSupplier, NumberTools, NumberSupplierVendor } from './port.ts'
import { heldLately } from './sandbox/data.ts'
import { sandbox } from './sandbox/index.ts'
import { chooseMood, deskStyle, DESK_PATH, sendText, showDesk } from './sandbox/page.ts'
import { twilio } from './twilio/index.ts'

/** Suppliers of numbers, one line each. Those with credentials are used; without any, the sandbox. */
export const supplierVendors: readonly NumberSupplierVendor[] = [handlerApi, fiveSim, twilio, sandbox]

export const numbersPort = {
  port: 'numbers',
  operations: { offer: 'read', rent: 'write', look: 'read', finish: 'write', cancel: 'write', open: 'read', balance: 'read' },
  vendors: supplierVendors.map(({ name }) => name),
} as const satisfies SupplierPort

export const suppliersEnv = { ...handlerApi.env, ...fiveSim.env, ...twilio.env } as const

/** Webhook path of a supplier; contains its name. */
export const NOTICE_PATH = '/notify/number/{supplier}'
export const buildNoticeUrl = ({ publicUrl }: Pick<Deps, 'publicUrl'>, name: string) => `${publicUrl()}${NOTICE_PATH.replace('{supplier}', name)}`

export const createNumberTools = (deps: Pick<Deps, 'clock' | 'publicUrl' | 'db'>, name: string): NumberTools => ({
  ...createSupplierTools(deps),
  noticeUrl: () => buildNoticeUrl(deps, name),
})

const connectedSuppliers = new WeakMap<object, readonly NumberSupplier[]>()

/** Suppliers whose credentials are configured; the sandbox if there are none and the sandbox is allowed. */
export function connectNumberSuppliers(deps: Deps): readonly NumberSupplier[] {
  const known = connectedSuppliers.get(deps.config)
  if (known) return known
  const real = supplierVendors
    .filter((vendor) => !vendor.sandbox)
    .map((vendor) => vendor.connect(deps.config, createNumberTools(deps, vendor.name)))
    .filter((supplier) => supplier !== undefined)
  const stand = allowsSandbox(deps.config, 'number') ? sandbox.connect(deps.config, createNumberTools(deps, sandbox.name)) : undefined
  const suppliers = real.length || !stand ? real : [withFaults(numbersPort, stand, () => deps.db)]
  connectedSuppliers.set(deps.config, suppliers)
  return suppliers
}

const NOT_FOUND = { status: 404, type: 'text/plain', body: 'no such page' }
const sandboxRoute = (method: 'GET' | 'POST', path: string, handle: typeof showDesk): RawRoute => ({
  method,
  path,
  role: 'sandbox',
  handle: async (deps, request) => (allowsSandbox(deps.config, 'number') ? handle(createNumberTools(deps, sandbox.name), request) : NOT_FOUND),
})

export const sandboxRoutes: readonly RawRoute[] = [
  sandboxRoute('GET', DESK_PATH, showDesk),
  sandboxRoute('POST', `${DESK_PATH}/send`, sendText),
  sandboxRoute('POST', `${DESK_PATH}/mood`, chooseMood),
  sandboxRoute('GET', `${DESK_PATH}.css`, deskStyle),
]

export async function buildNumberPanel(deps: Deps): Promise<SandboxPanel> {
  const link = { text: '发短信 Send a text', href: DESK_PATH }
  const held = await heldLately(createNumberTools(deps, sandbox.name).query)
  return {
    title: '号码 Numbers',
    about: '租出的号码，点进去可以给它发短信、让供应商出故障。 Numbers rented out; send texts to them there, or let their supplier fail.',
    columns: ['号码 Number', '服务 Service', '状态 State', '短信 Texts', ''],
    rows: held.length
      ? held.map(({ number, service, country, state, texts }) => [number, `${service} ${country}`, state, String(texts.length), link])
      : [['还没有 None yet', '', '', '', link]],
  }
}
