import type { SeededRandom } from '../people/random.ts'
import { expectEqual } from './act.ts'
import type { RobotAct, Robot } from './act.ts'
import { ensureBalance, payForPurchase } from './paying.ts'
import { ensurePin } from './signing-up.ts'
import { readIssuerFrame, buyAtSandboxShop } from './shop.ts'

interface Card {
  readonly id: string
  readonly state: string
  readonly available: string
  readonly needsFirstRecharge: boolean
  readonly frozenBy: string | null
  readonly owed: string
  readonly billingAddress: { readonly line1: string; readonly line2: string; readonly city: string; readonly postalCode: string } | null
}

/** Any of the person's cards; mostly one that works. */
async function pickCard({ client }: Robot, random: SeededRandom, wanted?: (card: Card) => boolean): Promise<Card | undefined> {
  const { data } = await client.get('/card/list')
  const all = data.rowList as Card[]
  const fit = wanted ? all.filter(wanted) : all
  return fit.length ? random.pick(fit) : all[0]
}
const isActive = ({ state }: Card): boolean => state === 'active'
const NO_CARD = 'no card'

async function load(robot: Robot, random: SeededRandom): Promise<string> {
  const card = await pickCard(robot, random, isActive)
  if (!card) return NO_CARD
  const { data: bounds } = await robot.client.get('/card/rechargeBounds', { id: card.id })
  const amount = random.pick([bounds.min, bounds.min, ...bounds.presets, '0.5', '5', '25', '26', '33.33', bounds.max, '100000'])
  if (random.percent(50)) return loadFromBalance(robot, random, { card, amount })
  const paid = await payForPurchase(robot, random, { wanted: { orderType: 0, amount, cardId: card.id }, wish: { from: 'channel' } })
  return typeof paid === 'string' ? `${amount}: ${paid}` : `${paid.orderNo} ${amount} by ${paid.how}: ${paid.state}`
}

async function loadFromBalance(robot: Robot, random: SeededRandom, { card, amount }: { readonly card: Card; readonly amount: string }): Promise<string> {
  await ensurePin(robot)
  if (random.percent(80)) await ensureBalance(robot, random, Math.min(Number(amount), 220))
  const input = { cardId: card.id, amount, channelType: 5, payPassword: robot.person.pin }
  const { code, msg, data } = await robot.client.post('/v1/virtualCard/cardRecharge', input)
  return code === 200 ? `${amount} from the balance: ${data.state}` : `${amount} from the balance: ${msg}`
}

async function withdrawFromCard(robot: Robot, random: SeededRandom): Promise<string> {
  const card = await pickCard(robot, random, isActive)
  if (!card) return NO_CARD
  await ensurePin(robot)
  const amount = random.pick(['1', '5', '24', '1000', '0.01', String(Math.max(1, Math.floor(Number(card.available)) - 1))])
  const { code, msg, data } = await robot.client.post('/v1/virtualCard/cardWithdrawal', { cardId: card.id, amount, payPassword: robot.person.pin })
  return `${amount}: ${code === 200 ? data.state : msg}`
}

/** Buys at a shop with exactly the data of the card page: number, expiry, code, address and postal code. */
async function buy(robot: Robot, random: SeededRandom): Promise<string> {
  const card = await pickCard(robot, random, (one) => isActive(one) && !one.needsFirstRecharge)
  if (!card || !isActive(card)) return NO_CARD
  const digits = await readIssuerFrame(robot, card.id)
  if (typeof digits === 'string') return digits
  const sum = random.pick(['1.00', '5.00', '12.00', '20.00', '3.71', '3.72', '3.73', '3.74', '3.75', '900.00'])
  const how = random.weighted<string>([
    ['sale', 6],
    ['hold', 3],
    ['verify', 1],
    ['monthly', 1],
    ['force', 0.5],
    ['refund', 0.5],
  ])
  const shown = (await robot.client.post('/card/info', { id: card.id })).data as Card
  const said = await buyAtSandboxShop(robot, { ...digits, sum, how, postal: shown.billingAddress?.postalCode ?? '' })
  if (said.why === 'wrong_details')
    robot.report({
      rule: 'what the card page shows is what shops take',
      subject: card.id,
      seen: `declined with the postal code ${shown.billingAddress?.postalCode}`,
      expected: 'no refusal for details',
    })
  return `${how} ${sum}: ${said.word} ${said.why}`
}

async function freeze({ client }: Robot, card: Card): Promise<string> {
  return (await client.post(card.state === 'frozen' ? '/card/unFrozen' : '/card/frozen', { id: card.id })).msg
}

async function changeBillingAddress(robot: Robot, random: SeededRandom, card: Card): Promise<string> {
  const to = random.pick([
    { line1: '350 5th Ave', line2: 'Fl 21', city: 'New York', state: 'NY', postalCode: '10118' },
    { line1: '1 Market St', line2: '', city: 'San Francisco', state: 'CA', postalCode: '94105-1420' },
  ])
  const { code, msg, data } = await robot.client.post('/card/update', { id: card.id, ...to })
  if (code !== 200) return msg
  expectEqual(robot, 'the address that was typed', { subject: card.id, seen: data.billingAddress?.postalCode, expected: to.postalCode })
  return `to ${to.city}`
}

async function close(robot: Robot, random: SeededRandom, card: Card): Promise<string> {
  await ensurePin(robot)
  const reason = random.percent(80) ? 'user' : 'lost'
  return (await robot.client.post('/card/close', { id: card.id, reason, payPassword: robot.person.pin })).msg
}

/** Orders of types 7, 12, 13, 14 and 15, as their quotes name them. */
async function orderCardService(robot: Robot, random: SeededRandom, card: Card): Promise<string> {
  const what = random.pick(['cardUnfreeze', 'cardOutstanding', 'cardChange', 'cardRenewal'])
  const { code, msg, data } = await robot.client.post(`/v1/virtualCard/${what}`, { cardId: card.id })
  if (code !== 200) return `${what}: ${msg}`
  await ensureBalance(robot, random, Number(data.amount))
  const paid = await payForPurchase(robot, random, {
    wanted: { orderType: data.orderType, amount: data.amount, cardId: card.id },
    wish: { from: 'balance', surely: true },
  })
  return `${what}: ${typeof paid === 'string' ? paid : `${paid.orderNo} ${paid.state}`}`
}

/** Reads the card's pages, and compares their figures with each other. */
async function readCard(robot: Robot, random: SeededRandom, card: Card): Promise<string> {
  const { client } = robot
  const { data: bills } = await client.post('/transaction/list', { cardId: card.id })
  await client.post('/transaction/total', { cardId: card.id })
  await client.get('/card/challenges')
  await client.get('/card/total')
  await client.get('/card/changeCardStatus', { cardId: card.id })
  const rows = (bills?.rowList ?? []) as { id: string }[]
  if (rows.length) await client.get('/transaction/{id}', { id: random.pick(rows).id })
  await client.get('/card/applyMonthlyStatementInvoice', { month: new Date().toISOString().slice(0, 7), cardId: card.id })
  await client.get('/card/getOpenAccountInvoice')
  return `${rows.length} bills`
}

async function change(robot: Robot, _random: SeededRandom, card: Card): Promise<string> {
  return (await robot.client.post('/card/changeCard', { id: card.id })).msg
}

const withCard =
  (work: (robot: Robot, random: SeededRandom, card: Card) => Promise<string>): RobotAct['run'] =>
  async (robot, random) => {
    const card = await pickCard(robot, random)
    return card ? work(robot, random, card) : NO_CARD
  }

export const cardActs: readonly RobotAct[] = [
  { name: 'load a card', weight: 6, run: load },
  { name: 'take money off a card', weight: 3, run: withdrawFromCard },
  { name: 'buy with a card', weight: 8, run: buy },
  { name: 'freeze or thaw a card', weight: 2, run: withCard((robot, _random, card) => freeze(robot, card)) },
  { name: 'change a billing address', weight: 2, run: withCard(changeBillingAddress) },
  { name: 'close a card', weight: 1, run: withCard(close) },
  { name: 'care for a card', weight: 2, run: withCard(orderCardService) },
  { name: 'change a card', weight: 0.5, run: withCard(change) },
  { name: 'look at a card', weight: 2, run: withCard(readCard) },
]
