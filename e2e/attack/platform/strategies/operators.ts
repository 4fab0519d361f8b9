import { parseUsd, sumNano, formatUsd } from '#platform/shared/money.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import type { RobotOperator } from '../../../robots/desk/operator.ts'
import type { PlatformStrategy, StrategyTools } from '../strategy.ts'

/** Dollars that the finance role can move in a day before a second person decides (setting `backoffice.moneyPerDay`). */
const FINANCE_DAY_LIMIT = '500'

/** One finance operator grants gifts and refunds in parallel: each below the limit of its command, together above the daily limit. */
async function tryDayLimits({ platform, must, intruder, needs }: StrategyTools): Promise<void> {
  // a new operator, so that other strategies do not use up the daily limit
  const finance = await platform.insider('finance')
  const grant = async (amount: string) => {
    const { userId } = await intruder(0)
    return { amount, ...(await finance.command('credit.grant', { user: userId, amount, purpose: 'goodwill', days: 30 })) }
  }
  const refund = async (amount: string) => {
    const one = await intruder(0)
    const { orderNo } = await one.topUp('95')
    return { amount, ...(await finance.command('order.refund', { orderNo, amount })) }
  }
  const asked = await Promise.all([...['45', '45', '45', '45'].map(grant), ...['90', '90', '90', '90', '90'].map(refund), grant('90')])
  const done = asked.filter(({ state }) => state === 'done')
  needs('commands that one person gives alone', done.length > 0 && asked.every(({ state }) => ['done', 'waiting'].includes(state)), asked)
  const moved = sumNano(done.map(({ amount }) => parseUsd(amount)))
  must('one operator moves more in a day than the sum of the role', moved <= parseUsd(FINANCE_DAY_LIMIT), formatUsd(moved))
  must('a gift above the limit of one person is given', asked.at(-1)!.state === 'waiting')
  for (const { no } of asked.filter(({ state }) => state === 'waiting').slice(0, 2)) {
    await finance.post('/operator/command/approve', { no, reason: 'mine' })
    const [row] = await platform.product.db.query<{ state: string }>('select state from backoffice_commands where no = $1', [no])
    must('an operator approves their own command', row?.state === 'waiting', row)
  }
}

/** Actions outside a role's permissions: vendors' keys, warnings with links, changes through a read-only view. */
async function tryForeignActions({ platform, must, intruder }: StrategyTools): Promise<void> {
  const finance = await platform.finance()
  const victim = await intruder(5)
  const refused = async (by: RobotOperator, name: string, input: object): Promise<boolean> =>
    !['done', 'waiting'].includes((await by.command(name, input)).state)
  must('finance changes an upstream', await refused(finance, 'upstream.change', { upstreamId: 'openai', baseUrl: 'https://evil.test', vendor: 'openai' }))
  must('finance frees its own day', await refused(finance, 'setting.change', { key: 'backoffice.moneyPerDay', value: { finance: '9999999' } }))
  must(
    'finance makes itself owner',
    await refused(finance, 'operator.roles', { operatorId: await operatorOf(platform, 'lin@mingxi.example'), roles: ['owner'] }),
  )
  for (const [name, amount] of [
    ['credit.grant', '-5'],
    ['credit.grant', '1e9'],
    ['credit.grant', '0'],
  ] as const)
    must(`${name} of ${amount}`, await refused(finance, name, { user: victim.userId, amount, purpose: 'goodwill', days: 30 }))
}

const operatorOf = async ({ product }: StrategyTools['platform'], mail: string): Promise<string> =>
  (await product.db.query<{ id: string }>('select id from backoffice_operators where mail = $1', [mail]))[0]!.id

/** Views a customer's account as an operator: no secrets, no changes, and a daily limit. */
async function tryAccountViews({ platform, must, intruder, needs }: StrategyTools): Promise<void> {
  const owner = await platform.owner()
  const victim = await intruder(30)
  const { data: begun } = await victim.client.post('/v1/tool/reward/proxy/apply')
  await victim.pin()
  if (begun?.pay) await victim.pay({ orderType: begun.pay.orderType, amount: begun.pay.amount, service: begun.pay.service })
  const mine = await waitForValue(
    async () => ((await victim.client.get('/v1/tool/reward/proxy/available')).data?.account ?? undefined) as { password: string } | undefined,
    'a proxy account',
  )
  const viewed = await owner.post('/operator/viewAs', { userId: victim.userId, reason: 'the balance looks wrong' })
  needs('a view', viewed.code === 200, viewed.msg)
  const token = new URL(viewed.data.url).hash.slice('#view='.length).replace(/\.\d+$/, '')
  const get = async (path: string) => (await fetch(`${platform.product.siteUrl}${path}`, { headers: { accesstoken: token } })).text()
  needs('a view that shows something', (await get('/v1/userWrapperApi/balanceInfo')).includes('"code":200'))
  for (const path of [
    '/v1/tool/reward/proxy/available',
    '/v1/tool/reward/proxyStat',
    '/common/switchyOmega',
    '/user/info',
    '/reward/gptForward/get',
    '/user/alerts',
  ])
    must(`a view of ${path} shows the proxy's password`, !(await get(path)).includes(mine.password))
  for (const path of ['/v1/tool/openaiPlus/shareUrl?platform=1', '/v1/tool/openaiPlus/livekitToken', '/card/challenges'])
    must(`a view takes ${path}`, !(await get(path)).includes('"code":200'))
  const post = await fetch(`${platform.product.siteUrl}/v1/tool/reward/proxy/end`, {
    method: 'POST',
    headers: { 'accesstoken': token, 'content-type': 'application/json' },
    body: '{}',
  })
  must('a view changes something', !(await post.text()).includes('"code":200'))
  const many = await Promise.all(Array.from({ length: 60 }, () => owner.post('/operator/viewAs', { userId: victim.userId, reason: 'the balance looks wrong' })))
  const open = many.filter(({ code }) => code === 200).length
  must('one operator looks at more accounts in a day than contacts may be revealed', open < 50, open)
}

export const OPERATOR_STRATEGIES: readonly PlatformStrategy[] = [
  { name: 'operators-sums', tries: 'small sums of several commands of one operator at once, approved by the same one', run: tryDayLimits },
  { name: 'operators-roles', tries: 'commands of other roles, sums that are none, more rights', run: tryForeignActions },
  { name: 'operators-views', tries: 'secrets in a view of an account, changes from it, and views without end', run: tryAccountViews },
]
