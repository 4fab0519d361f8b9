import { createSeededRandom, deriveSeed } from './random.ts'
import type { SeededRandom } from './random.ts'
import { drawAddress, drawChineseName, drawForeignName, drawIdentityNumber, drawPassportNumber } from './draws.ts'
import type { DrawnAddress } from './draws.ts'

export type MobileRegion = '86' | '852' | '853' | 'other'

/** A random customer: who they are, how they look at the site, and what goes into their forms. */
export interface RobotPerson {
  /** Position in the run, from 0; with the seed it names the person. */
  readonly at: number
  readonly seed: number
  readonly lang: 'zh' | 'en'
  readonly width: 414 | 1440
  readonly region: MobileRegion
  /** Signs up with it; a region without codes by mobile signs up by e-mail. */
  readonly mobile: string | undefined
  readonly email: string
  readonly password: string
  readonly pin: string
  /** Empty for a foreigner without a Chinese name. */
  readonly chineseName: string
  readonly lastName: string
  readonly firstName: string
  readonly paper: 'idcard' | 'passport'
  readonly number: string
  readonly birthDate: string
  readonly isMinor: boolean
  readonly address: DrawnAddress
  readonly method: 'face' | 'deposit'
  /** Source address of their requests, as a proxy on this machine reports it. */
  readonly ip: string
  /** Looks at pages as well; the others use the API alone. */
  readonly usesPages: boolean
}

const MOBILES: Readonly<Record<Exclude<MobileRegion, 'other'>, (random: SeededRandom) => string>> = {
  '86': (random) => `13${random.int(0, 9)}${String(random.int(0, 99_999_999)).padStart(8, '0')}`,
  '852': (random) => `852${random.pick(['5', '6', '9'])}${String(random.int(0, 9_999_999)).padStart(7, '0')}`,
  '853': (random) => `8536${String(random.int(0, 9_999_999)).padStart(7, '0')}`,
}

/** Payment passwords that are neither a row nor a repetition. */
const PINS = ['849371', '271828', '592614', '730852', '418207', '906143']
const ADULT_YEARS = [1948, 2006] as const
const MINOR_YEARS = [2010, 2018] as const

/** The n-th person of a seed, with the share of those that look at pages. */
export function drawPerson(seed: number, at: number, pagesPercent: number): RobotPerson {
  const own = deriveSeed(seed, 'person', at)
  const random = createSeededRandom(own)
  const region = random.weighted<MobileRegion>([
    ['86', 6],
    ['852', 1.5],
    ['853', 1],
    ['other', 1.5],
  ])
  const lang = random.percent(region === 'other' ? 20 : 75) ? 'zh' : 'en'
  const isForeign = region === 'other' && random.percent(60)
  const isMinor = random.percent(6)
  const [from, to] = isMinor ? MINOR_YEARS : ADULT_YEARS
  const birthDate = `${random.int(from, to)}-${String(random.int(1, 12)).padStart(2, '0')}-${String(random.int(1, 28)).padStart(2, '0')}`
  const paper = isForeign || random.percent(15) ? 'passport' : 'idcard'
  const name = isForeign ? { chinese: '', ...drawForeignName(random) } : drawChineseName(random)
  return {
    at,
    seed: own,
    lang,
    width: random.percent(50) ? 414 : 1440,
    region,
    mobile: region !== 'other' && random.percent(60) ? MOBILES[region](random) : undefined,
    email: `${random.pick(['wang', 'o.yang', 'li-na', 'a', 'x_y', 'zhang99'])}.${own.toString(36)}@example.com`,
    password: random.pick(['Correct horse battery 7', '我的密码是：春天来了2026', 'aB3$kk-long-enough', ' 9 spaces inside it ok ']),
    pin: random.pick(PINS),
    chineseName: name.chinese,
    lastName: name.last,
    firstName: name.first,
    paper,
    number: paper === 'idcard' ? drawIdentityNumber(random, birthDate, own) : drawPassportNumber(random),
    birthDate,
    isMinor,
    address: drawAddress(random),
    method: paper === 'passport' || random.percent(50) ? 'deposit' : 'face',
    ip: `${random.int(11, 99)}.${random.int(0, 255)}.${random.int(0, 255)}.${random.int(1, 254)}`,
    usesPages: random.percent(pagesPercent),
  }
}
