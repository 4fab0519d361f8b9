import { setTimeout as sleep } from 'node:timers/promises'
import { scaleTimeout, waitForValue } from '#platform/testing/patience.ts'
import type { Robot } from '../../robots/acts/act.ts'
import { passIdentification } from '../../robots/acts/opening.ts'
import { ensureBalance, payForPurchase } from '../../robots/acts/paying.ts'
import type { PaidPurchase, WantedPurchase } from '../../robots/acts/paying.ts'
import { ensurePin, signUpRobot } from '../../robots/acts/signing-up.ts'
import { createRobotClient } from '../../robots/people/client.ts'
import type { RobotReply, RobotClient } from '../../robots/people/client.ts'
import { avoidSmsFaults, drawPerson } from '../../robots/people/person.ts'
import { createSeededRandom, deriveSeed } from '../../robots/people/random.ts'
import type { SeededRandom } from '../../robots/people/random.ts'
import type { PlatformStage } from './stage.ts'

/** A customer of the platform who tries to get more than was paid for: the regular robot steps, plus raw requests. */
export interface Intruder {
  readonly robot: Robot
  readonly client: RobotClient
  readonly userId: string
  readonly random: SeededRandom
  /** Another session of the same account; the first one stays valid. */
  again(): Promise<RobotClient>
  pin(): Promise<string>
  /** Tops up the balance by this many dollars at the sandbox's cashier; the cents select the cashier's behavior. */
  topUp(dollars: string): Promise<PaidPurchase>
  pay(wanted: WantedPurchase): Promise<PaidPurchase>
  /** An active card, loaded with this many dollars. */
  card(dollars: number): Promise<string>
  balance(): Promise<{ available: string; balance: string; withdrawable?: string }>
}

/** Replies that are faults of the platform for any client. */
const PLATFORM_FAULTS = /^no server error$/
const SEED = 43
let drawnPeople = 0

export async function anIntruder(platform: PlatformStage, dollars: number, ip?: string): Promise<Intruder> {
  const at = drawnPeople++
  const random = createSeededRandom(deriveSeed(SEED, 'attack', at))
  // an adult from the mainland who signs in by mobile and verifies identity by a deposit: the shortest way to a card
  const number = 10_000_000 + at * 7919 + (process.pid % 1000) * 13
  const person = { ...drawPerson(SEED, at, 0), ...ADULT, mobile: avoidSmsFaults(`139${number}`), number: `E${number}`, ...(ip ? { ip } : {}) }
  const report: Robot['report'] = (violation) => {
    if (PLATFORM_FAULTS.test(violation.rule)) platform.faults.push(`${violation.subject}: ${violation.seen}`)
  }
  const newClient = (): RobotClient => createRobotClient(person, { siteUrl: platform.product.siteUrl, report, note: () => undefined })
  const client = newClient()
  const memory: Robot['memory'] = { userId: '', hasPin: false, contact: '', isGone: false, keys: [], paid: [] }
  const robot: Robot = { person, client, product: platform.product, memory, codes: [], report }
  await signUpRobot(robot, random)
  const intruder: Intruder = {
    robot,
    client,
    userId: memory.userId,
    random,
    again: async () => {
      const other = newClient()
      const { data, msg } = await other.asHuman('login', (captchaVerifyParam) =>
        other.post('/user/passwordLogin', { mobile: person.mobile, password: person.password, captchaVerifyParam }),
      )
      other.token = data?.token ?? failStep('a second session', msg)
      return other
    },
    pin: async () => {
      await ensurePin(robot)
      return person.pin
    },
    topUp: (amount) => expectPaid(payForPurchase(robot, random, { wanted: { orderType: 10, amount }, wish: { from: 'channel', surely: true } })),
    pay: (wanted) => expectPaid(payForPurchase(robot, random, { wanted, wish: { from: 'balance', surely: true } })),
    card: async (amount) => {
      const step = await reachPaymentStep(robot, random)
      if (step !== 'payment') return failStep('the way to a card', step)
      const offer = await client.post('/card/create', { type: 'standard' })
      await ensureBalance(robot, random, Number(offer.data.amount) + amount + 5)
      await intruder.pay({ orderType: offer.data.orderType, amount: offer.data.amount, service: offer.data.service })
      const { id } = await waitForValue(async () => {
        const { data } = await client.get('/card/list')
        return (data.rowList as { id: string; state: string }[]).find(({ state }) => state === 'active')
      }, 'an active card')
      const loaded = await client.post('/v1/virtualCard/cardRecharge', {
        cardId: id,
        amount: String(amount),
        channelType: 5,
        payPassword: await intruder.pin(),
      })
      if (loaded.code !== 200) return failStep('loading a card', loaded.msg)
      await waitForValue(async () => {
        const { data } = await client.post('/card/info', { id })
        return Number(data.available) > 0 || undefined
      }, 'a loaded card')
      return id
    },
    balance: async () => (await client.get('/v1/userWrapperApi/balanceInfo')).data,
  }
  if (dollars > 0) await intruder.topUp(String(dollars))
  return intruder
}

const ADULT = {
  ...({ region: '86', birthDate: '1990-03-09', isMinor: false, method: 'deposit', paper: 'passport' } as const),
  ...{ chineseName: '王小明', lastName: 'WANG', firstName: 'XIAOMING' },
  address: { province: '上海市', city: '上海市', county: '浦东新区', street: '世纪大道100号', postalCode: '200120' },
}

function failStep(what: string, why: unknown): never {
  throw new Error(`${what} failed: ${JSON.stringify(why)}`)
}

async function expectPaid(work: Promise<PaidPurchase | string>): Promise<PaidPurchase> {
  const done = await work
  return typeof done === 'string' ? failStep('a payment', done) : done
}

async function reachPaymentStep(robot: Robot, random: SeededRandom): Promise<string> {
  let step = ''
  for (let tries = 0; tries < 5 && step !== 'payment'; tries++) step = await passIdentification(robot, random)
  return step
}

export const isRefusedReply = ({ code }: RobotReply): boolean => code !== 200
/** Runs several calls in parallel and splits the replies into accepted and refused. */
export async function runTogether(times: number, work: (n: number) => Promise<RobotReply>): Promise<{ accepted: RobotReply[]; refused: RobotReply[] }> {
  const all = await Promise.all(Array.from({ length: times }, (_, n) => work(n)))
  return { accepted: all.filter(({ code }) => code === 200), refused: all.filter(isRefusedReply) }
}
export const waitPatiently = (ms: number): Promise<void> => sleep(scaleTimeout(ms))
