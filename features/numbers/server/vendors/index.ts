import type { Deps, SandboxPanel } from '#platform/server/feature.ts'
import { createVendorRegistry } from '#platform/server/suppliers/registry.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import { fiveSim } from './five-sim/index.ts'
import { handlerApi } from './handler-api/index.ts'
import type { NumberTools } from './port.ts'
import { heldLately } from './sandbox/data.ts'
import { sandbox } from './sandbox/index.ts'
import { chooseMood, deskStyle, DESK_PATH, sendText, showDesk } from './sandbox/page.ts'
import { twilio } from './twilio/index.ts'

/** Webhook path of a supplier; contains its name. */
export const NOTICE_PATH = '/notify/number/{supplier}'
export const buildNoticeUrl = ({ publicUrl }: Pick<Deps, 'publicUrl'>, name: string) => `${publicUrl()}${NOTICE_PATH.replace('{supplier}', name)}`

export const createNumberTools = (deps: Pick<Deps, 'clock' | 'db' | 'log' | 'publicUrl'>, name: string): NumberTools => ({
  ...createSupplierTools(deps),
  noticeUrl: () => buildNoticeUrl(deps, name),
})

/** Suppliers of numbers, one line each. Those with credentials are used; without any, the sandbox. */
export const numberRegistry = createVendorRegistry({
  port: 'numbers',
  operations: { offer: 'read', rent: 'write', look: 'read', finish: 'write', cancel: 'write', open: 'read', balance: 'read' },
  vendors: [handlerApi, fiveSim, twilio, sandbox],
  sandbox: 'number',
  isSandboxFallback: true,
  createTools: createNumberTools,
})

export const { port: numbersPort, env: suppliersEnv, list: listNumberSuppliers, find: findNumberSupplier, replace: replaceNumberSuppliers } = numberRegistry

export const sandboxRoutes = numberRegistry.createSandboxRoutes(
  (deps) => createNumberTools(deps, sandbox.name),
  [
    { method: 'GET', path: DESK_PATH, handle: showDesk },
    { method: 'POST', path: `${DESK_PATH}/send`, handle: sendText },
    { method: 'POST', path: `${DESK_PATH}/mood`, handle: chooseMood },
    { method: 'GET', path: `${DESK_PATH}.css`, handle: deskStyle },
  ],
)

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
