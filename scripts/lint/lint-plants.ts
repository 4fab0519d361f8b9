/** Code that each rule refuses, and code that it must accept. Paths matter: .oxlintrc.json exempts by folder. */
export interface LintPlant {
  readonly rule: string
  readonly file: string
  readonly bad: readonly string[]
  readonly good: readonly string[]
}

const VERB = 'features/cards/server/verbs/freeze-card.ts'
const IN_TRANSACTION = (body: string) => `export const freezeCard = (ctx) => transact(ctx.db, ctx.actor, async (tx) => { ${body} })`

export const lintPlants: readonly LintPlant[] = [
  {
    rule: 'money-arithmetic',
    file: 'features/wallet/server/sums.ts',
    bad: [
      'export const left = (balance: bigint, held: bigint) => balance - held',
      'export const up = (row) => row.amount * 2n',
      'export const total = (rows) => rows.reduce((sum, row) => sum + row.feeNano, 0n)',
      'export function add(state, amount) { state.total += amount }',
      'export const cents = (x) => x / NANO_PER_CENT',
      'export const more = (text) => 1n + parseUsd(text)',
      'export const back = (order) => -order!.unitPrice % 10n',
      'export interface Order { readonly amount: number }',
      'export const shape = z.object({ amount: z.number().min(0) })',
      'export const shape = z.object({ fee: z.coerce.number() })',
      'export const pay = (amount: number) => amount',
      'export const float = (order) => Number(order.amount)',
      'export function once(balance) { balance++ }',
    ],
    good: [
      'export const next = (seq: bigint) => seq + 1n',
      'export const hundred = 100n * NANO_PER_USD',
      'export const label = (amount: string) => `${amount} USD`',
      "export const label = (amount: string) => '$' + amount",
      'export const enough = (balance: bigint, amount: bigint) => balance >= amount',
      'export const version = (priceVersion: number) => priceVersion + 1',
      'export const width = (amountText: string) => amountText.length + 2',
      'export const rest = (tokens: number, used: number) => tokens - used',
      'export interface Order { readonly amount: bigint; readonly orders: number }',
      'export const shape = z.object({ amount: usdAmount, count: z.number() })',
    ],
  },
  {
    rule: 'literal-text-keys',
    file: 'features/cards/web/states.ts',
    bad: [
      'export const text = (t, state) => t(`state_${state}`)',
      "export const text = (t, state) => t('state_' + state)",
      "export const text = (t, key: string) => t(key as 'state_on')",
      'export const text = (t, key) => t(key as never)',
      "export const text = (t, isOn, state) => t(isOn ? 'on' : `state_${state}`)",
      'export const text = (t, keys) => t(keys[0]!)',
      'export function text(state) { const pages = useTexts(pageTexts); return pages(`state_${state}`) }',
      'export const text = (lang, state) => translate(cardTexts, `state_${state}`, undefined, lang)',
      'export const text = (lang, state) => cardTexts[lang][`state_${state}`]',
      'export const text = (spec, lang, state) => spec.texts[lang][`state_${state}`]',
      "export const text = (lang, state) => cardTexts[lang]['state_' + state]",
    ],
    good: [
      "export const text = (t) => t('state_on')",
      'export const text = (t, state) => t(STATE_TEXT[state])',
      'export const text = (t, name: string) => t(resolveTextKey(STATE_TEXT, name))',
      "export const text = (t, isOn) => t(isOn ? 'on' : 'off', { at: `${isOn}` })",
      'export const text = (lang, state) => cardTexts[lang][STATE_TEXT[state]]',
      'export const id = (state) => `state_${state}`',
      'export const text = (send, state) => send(`state_${state}`)',
    ],
  },
  { rule: 'money-arithmetic', file: 'platform/shared/money.ts', bad: [], good: ['export const left = (balance: bigint, held: bigint) => balance - held'] },
  {
    rule: 'verb-transaction-audits',
    file: VERB,
    bad: [
      IN_TRANSACTION('await freeze(tx, ctx.userId)'),
      `// audited by hold\n${IN_TRANSACTION('await freeze(tx, ctx.userId)')}`,
      IN_TRANSACTION(`await freeze(tx, 1); await tx.audit('card.frozen', 'card')`),
      'export async function freezeCard(ctx) { const tx = ctx.tx; await freeze(tx, ctx.userId) }',
      `// anybody may:\n${IN_TRANSACTION(`await tx.audit('card.frozen', 'card')`)}`,
    ],
    good: [
      IN_TRANSACTION(`await freeze(tx, ctx.userId); await tx.audit('card.frozen', ctx.userId)`),
      IN_TRANSACTION(`requireOwner(ctx, 1); await tx.audit('card.frozen', 'card')`),
      `// audited by hold\n${IN_TRANSACTION('await hold(tx, ctx.userId)')}`,
      `export async function freezeCard(ctx) { const tx = ctx.tx; await freeze(tx, ctx.userId); await tx.audit('card.frozen', 'card') }`,
      `// anybody may: a visitor has no account yet\n${IN_TRANSACTION(`await tx.audit('card.asked', 'card')`)}`,
      `export const freezeCard = (deps) => transact(deps.db, SYSTEM, (tx) => tx.audit('card.frozen', 'card'))`,
      `export const freezeCard = (deps) => transact(deps.db, { kind: 'channel', id: 'bank' }, (tx) => tx.audit('card.frozen', 'card'))`,
      'export const readCard = (ctx) => findCard(ctx.db, ctx.userId)',
    ],
  },
  {
    rule: 'no-process-env',
    file: 'features/wallet/server/settings.ts',
    bad: [
      'export const port = process.env.PORT',
      `export const port = process['env'].PORT`,
      'export function port() { const { env } = process; return env.PORT }',
      `import { env } from 'node:process'\nexport const port = env.PORT`,
    ],
    good: ['export const port = (deps) => deps.config.PORT', 'export const pid = process.pid'],
  },
  { rule: 'no-process-env', file: 'platform/server/config.ts', bad: [], good: ['export const port = process.env.PORT'] },
  {
    rule: 'no-hard-coded-text',
    file: 'features/wallet/web/page.tsx',
    bad: [
      'export const Page = () => <p>充值</p>',
      'export const Page = () => <p>Top up</p>',
      `export const Page = () => <p>{'Top up'}</p>`,
      'export const Page = () => <input placeholder="Amount" />',
      'export const Page = () => <img alt="余额" />',
      `export const title = '余额'`,
      'export const title = (n) => `共 ${n} 条`',
    ],
    good: [
      `export const Page = () => <p>{t('recharge')} · $20.00</p>`,
      'export const Page = () => <code>npm install openai</code>',
      'export const Page = () => <p className="text-14">OpenAI / Claude</p>',
      'export const Page = () => <button type="button" aria-label={label}>×</button>',
      'export const Page = () => <span>EN</span>',
    ],
  },
  { rule: 'no-hard-coded-text', file: 'apps/web/dev-ui/dev-ui.tsx', bad: [], good: ['export const Page = () => <p>充值</p>'] },
  {
    rule: 'queries-in-data',
    file: 'features/wallet/server/verbs/list.ts',
    bad: [`export const list = (sql) => sql.query('select 1')`, 'export const list = (sql, id) => sql.query(`\n  update x set y = ${id}`)'],
    good: ['export const list = (sql) => listEntries(sql)', `export const search = (page) => page.query('balance')`],
  },
  { rule: 'queries-in-data', file: 'features/wallet/server/data.ts', bad: [], good: [`export const list = (sql) => sql.query('select 1')`] },
  {
    rule: 'no-class',
    file: 'platform/server/thing.ts',
    bad: ['export class Thing {}', 'export const make = () => class extends Base {}'],
    good: ['export class Refused extends Error {}', 'export class Late extends Failure {}', 'export const thing = () => ({})'],
  },
  {
    rule: 'max-file-lines',
    file: 'platform/server/long.ts',
    bad: ['export const a = 1\n'.concat('// line\n'.repeat(400))],
    good: ['export const a = 1\n'.concat('// line\n'.repeat(399))],
  },
  {
    rule: 'max-lines',
    file: 'platform/server/longish.ts',
    bad: ['export const a = 1\n'.concat('// line\n'.repeat(330))],
    good: ['export const a = 1\n'.concat('// line\n'.repeat(329))],
  },
  { rule: 'no-default-export', file: 'platform/server/default.ts', bad: ['export default 1'], good: ['export const one = 1'] },
  { rule: 'no-default-export', file: 'vite.config.ts', bad: [], good: ['export default 1'] },
  { rule: 'no-explicit-any', file: 'platform/server/loose.ts', bad: ['export const one: any = 1'], good: ['export const one: unknown = 1'] },
  {
    rule: 'rules-of-hooks',
    file: 'features/wallet/web/hook.tsx',
    bad: ['export function Page({ on }) { if (on) useState(1); return null }'],
    good: ['export function Page() { useState(1); return null }'],
  },
]
