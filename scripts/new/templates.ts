import { DEFAULT_LANG, LANGS } from '#platform/shared/languages.ts'
import { updateModule } from '../check/catalogues.ts'

/** Template files, as small as possible while they pass `npm run check`. */
export type TemplateFiles = Readonly<Record<string, string>>

/** freeze-card -> freezeCard */
export const kebabToCamel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
/** freeze-card -> FreezeCard */
export const kebabToPascal = (name: string): string => kebabToCamel(name).replace(/^\w/, (letter) => letter.toUpperCase())

export function buildFeatureFiles(name: string): TemplateFiles {
  const id = kebabToCamel(name)
  const title = kebabToPascal(name)
  return {
    'README.md': `# ${name}

Owns: (one line).

- Tables: none yet (\`npm run db:new ${name.replaceAll('-', '_')}\`).
- Always true: (what no change may break).
- Calls no feature (\`scripts/check/imports/allowed-imports.ts\` lists what may be called). Called by none; verbs for other features go to \`server/door.ts\`.
`,
    'contract.ts': `import { z } from 'zod'
import { defineContract } from '#platform/shared/contract.ts'
import { defineErrors } from '#platform/shared/errors.ts'

export const ${id}Errors = defineErrors({})

export const ${id}Contract = defineContract(${id}Errors)({
  about: {
    method: 'GET', path: '/user/${name}/about', access: 'user', summary: '${title}: what the page shows',
    input: z.object({}), reply: z.object({ userId: z.string() }), errors: [],
  },
})
`,
    'texts.ts': updateModule(`import { defineTexts } from '#platform/shared/texts.ts'
import { ${id}Errors } from './contract.ts'
import texts from './messages/${DEFAULT_LANG}.json' with { type: 'json' }

export const ${id}Texts = defineTexts({}, ${id}Errors)
`),
    ...Object.fromEntries(LANGS.map((lang) => [`messages/${lang}.json`, '{\n  "title": "Title"\n}\n'])),
    'server/index.ts': `import { defineFeature } from '#platform/server/feature.ts'
import { ${id}Errors } from '../contract.ts'
import { ${id}Texts } from '../texts.ts'
import { ${id}Routes } from './routes.ts'

export const ${id} = defineFeature({ name: '${name}', texts: ${id}Texts, errors: ${id}Errors, routes: [${id}Routes] })
`,
    'server/routes.ts': `import { bind } from '#platform/server/feature.ts'
import { ${id}Contract } from '../contract.ts'
import { readAbout } from './verbs/read-about.ts'

export const ${id}Routes = bind(${id}Contract, { about: readAbout })
`,
    'server/verbs/read-about.ts': `import type { Ctx } from '#platform/server/feature.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { ${id}Contract } from '../../contract.ts'

/** Data of the page for its user. */
export async function readAbout(ctx: Ctx): Promise<ReplyOf<typeof ${id}Contract.about>> {
  return { userId: ctx.userId }
}
`,
    'web/index.tsx': `import { useTexts } from '#platform/web/i18n.ts'
import { ${id}Texts } from '../texts.ts'

export function ${title}Page() {
  const t = useTexts(${id}Texts)
  return <h1>{t('title')}</h1>
}
`,
  }
}

export const listFeatureSteps = (name: string): string[] => [
  `apps/server/features.ts: import { ${kebabToCamel(name)} } from '#features/${name}/server/index.ts' and add it to the list`,
  `apps/web/router.tsx: one lazy line for #features/${name}/web/index.tsx, '${kebabToPascal(name)}Page'`,
  `scripts/check/imports/allowed-imports.ts and ARCHITECTURE.md: '${name}': whom it may knock on`,
]

export function buildVerbFiles(feature: string, verb: string, room: string): TemplateFiles {
  const id = kebabToCamel(verb)
  return {
    [`server/${room}/${verb}.ts`]: `import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'

/** Says the effect, the callers allowed and the errors. */
export async function ${id}(ctx: Ctx, input: { readonly id: string }): Promise<{}> {
  return transact(ctx.db, ctx.actor, async (tx) => {
    await tx.audit('${feature}.${verb}', \`user:\${ctx.userId}\`, { id: input.id })
    return {}
  })
}
`,
    [`server/${room}/${verb}.db.test.ts`]: `import { describe, expect, test } from 'vitest'
import { createTestApp } from '#platform/testing/http.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { ${id} } from './${verb}.ts'

const db = await useTestDb()
const { deps } = createTestApp({ features: [], db })
const ctx = {
  ...deps, actor: { kind: 'user', id: 'user_1' }, userId: 'user_1', sessionId: '', lang: ${JSON.stringify(DEFAULT_LANG)}, clientType: 1, requestId: '', ip: '', userAgent: '', tx: undefined,
} as const

describe('${verb}', () => {
  test('writes its audit row', async () => {
    await ${id}(ctx, { id: 'thing_1' })
    const rows = await db.query('select actor_id from audit_rows where action = $1', ['${feature}.${verb}'])
    expect(rows).toEqual([{ actor_id: 'user_1' }])
  })
})
`,
  }
}

export const listVerbSteps = (feature: string, verb: string, room: string): string[] => [
  `features/${feature}/contract.ts: the endpoint; money or a second effect wants idempotency: 'required', then use ctx.tx`,
  `features/${feature}/server/routes.ts: import { ${kebabToCamel(verb)} } from './${room}/${verb}.ts' and name it as the contract does (or server/door.ts, for neighbours)`,
  'apps/server/matrix: a sample of its input, for the tests that try every endpoint',
]

/** Files for a new kind of vendor: the port, the registry and a sandbox come first. */
export function buildPortFiles(feature: string): TemplateFiles {
  return {
    'server/vendors/port.ts': `import type { SupplierVendor } from '#platform/server/suppliers/registry.ts'
import type { SupplierTools } from '#platform/server/suppliers/tools.ts'

/** A supplier's methods; say units, errors and source at each. */
export interface Supplier {
  readonly name: string
}

export type Vendor = SupplierVendor<Supplier, SupplierTools>
`,
    'server/vendors/sandbox/index.ts': `import type { Vendor } from '../port.ts'

/** Keeps state and behaves badly on request, by the magic inputs that all sandboxes share. */
export const sandbox: Vendor = { name: 'sandbox', sandbox: true, connect: () => ({ name: 'sandbox' }) }
`,
    'server/vendors/index.ts': `import { createVendorRegistry } from '#platform/server/suppliers/registry.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import { sandbox } from './sandbox/index.ts'

/** Every vendor, one line each; the test suite of the port runs over each. */
export const vendorRegistry = createVendorRegistry({
  port: '${feature}',
  operations: {},
  vendors: [sandbox],
  sandbox: 'service',
  createTools: createSupplierTools,
})
`,
  }
}

/** Properties of a port that determine its vendors' template. */
export interface PortKind {
  /** Name of its interface: the type checker then reports missing members. */
  readonly type: string
  /** Property that holds the vendor's name. */
  readonly named: 'id' | 'name'
  /** The port marks sandboxes with a flag. */
  readonly flagsSandbox: boolean
  /** For a model vendor, which pages show (shown.ts): an unused colour. */
  readonly shownColor?: number | undefined
}

/** Complete, because model vendors share these members; differences from OpenAI's form are edited by hand. */
function buildModelVendorFiles(vendor: string, color: number): TemplateFiles {
  const name = vendor.replaceAll('-', '_').toUpperCase()
  return {
    [`server/vendors/${vendor}/shown.ts`]: `import type { ShownVendor } from '../port.ts'

/** A vendor that talks needs an \`example\`: the model that code samples ask. */
export const shown: ShownVendor = { id: '${vendor}', label: '${kebabToPascal(vendor)}', color: ${color}, words: [], talks: true }
`,
    [`server/vendors/${vendor}/index.ts`]: `import type { ModelVendor } from '../port.ts'
import { shown } from './shown.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

/** Documentation: (link). What is odd about it: (one line). */
export const ${kebabToCamel(vendor)}: ModelVendor = {
  id: shown.id,
  label: shown.label,
  dialects: ['openai-chat'],
  baseUrl: 'https://api.${vendor}.com',
  env: { key: '${name}_API_KEY', baseUrl: '${name}_BASE_URL' },
  authHeaders: (key) => ['authorization', \`Bearer \${key}\`],
  billsAfterAbort: true,
}
`,
  }
}

export function buildVendorFiles(vendor: string, { type, named, flagsSandbox, shownColor }: PortKind): TemplateFiles {
  if (shownColor !== undefined) return buildModelVendorFiles(vendor, shownColor)
  return {
    [`server/vendors/${vendor}/index.ts`]: `import type { ${type} } from '../port.ts'

/** Documentation: (link). What is odd about it: (one line). */
export const ${kebabToCamel(vendor)} = {
  ${named}: '${vendor}',
${flagsSandbox ? '  sandbox: false,\n' : ''}} satisfies Partial<${type}>
`,
  }
}

export const listVendorSteps = (feature: string, vendor: string, { isModelVendor }: { isModelVendor: boolean }): string[] => [
  `features/${feature}/server/vendors/index.ts: import { ${kebabToCamel(vendor)} } from './${vendor}/index.ts' and add it to the list`,
  ...(isModelVendor
    ? [
        `features/${feature}/server/catalogue/prices/<day>-${vendor}.json: its models and prices, each with its source, and a line in catalogue/seed.ts`,
        `features/${feature}/server/vendors/${vendor}/shown.ts: label, words, and as example one of those models`,
        'docs/vendors/models.md: a row with its environment and where to get an account',
      ]
    : [`docs/vendors/${vendor}.md: how to get an account, which keys, which pages of the vendor's documentation`]),
  'new names of environment variables: node scripts/check/settings.ts --write',
]
