import { SMS_FAULTS } from '#features/notices/server/vendors/sandbox/sms.ts'
import { createSeededRandom, deriveSeed } from './random.ts'
import type { SeededRandom } from './random.ts'
import type { Lang } from '#platform/shared/languages.ts'
import { DEFAULT_LANG, LANGS } from '#platform/shared/languages.ts'

interface DrawnAddress {
  readonly province: string
  readonly city: string
  readonly county: string
  /** 5 to 200 characters including the parts before it, as people type it. */
  readonly street: string
  readonly postalCode: string
}

type WrittenName = readonly [chinese: string, latin: string]

/** Common, rare and compound surnames with their Latin form. */
const SURNAMES: readonly WrittenName[] = parseNamePairs(
  '王 WANG 李 LI 张 ZHANG 刘 LIU 陈 CHEN 吕 LYU 曾 ZENG 单 SHAN 仇 QIU 查 ZHA 尉迟 YUCHI 欧阳 OUYANG 司徒 SITU 诸葛 ZHUGE 万俟 MOQI 令狐 LINGHU 亓 QI 乜 NIE 爨 CUAN 㑇 ZHOU',
)
const GIVEN_NAMES: readonly WrittenName[] = parseNamePairs('伟 WEI 芳 FANG 娜 NA 敏 MIN 静 JING 磊 LEI 洋 YANG 艳 YAN 龘 DA 女 NYU 犇 BEN 淼 MIAO')

function parseNamePairs(text: string): WrittenName[] {
  return [...text.matchAll(/(\S+) ([A-Z]+)/g)].map(([, chinese, latin]): WrittenName => [chinese!, latin!])
}

interface DrawnName {
  readonly chinese: string
  readonly last: string
  readonly first: string
}

/** Two to thirty characters; the long ones are names of minorities with a middle dot. */
function drawChineseName(random: SeededRandom): DrawnName {
  const [surname, last] = random.pick(SURNAMES)
  const length = random.weighted<number>([
    [1, 5],
    [2, 10],
    [random.int(3, 8), 1],
  ])
  const parts = Array.from({ length }, () => random.pick(GIVEN_NAMES))
  const given = parts.map(([sign]) => sign).join('')
  const chinese = length > 4 ? `${surname}·${given}`.slice(0, 30) : surname + given
  return {
    chinese,
    last,
    first: parts
      .map(([, latin]) => latin)
      .join('')
      .slice(0, 30),
  }
}

/** One to thirty letters a part, with hyphens, apostrophes and blanks. */
function drawForeignName(random: SeededRandom): Omit<DrawnName, 'chinese'> {
  const last = random.pick(['O', 'LI', "O'BRIEN", 'SMITH', 'VAN DER BERG', 'GARCIA-MARQUEZ', 'WOLFESCHLEGELSTEINHAUSENBERGER'])
  const first = random.pick(['A', 'AL', 'MARY ANN', 'JEAN-LUC', 'HUBERT', 'MAXIMILIANALEXANDERFERDINAND'])
  return { last: last.slice(0, 30), first }
}

const PLACES = [
  ['广东省', '深圳市', '南山区', '518057'],
  ['北京市', '北京市', '朝阳区', '100022'],
  ['上海市', '上海市', '浦东新区', '200120'],
  ['四川省', '成都市', '武侯区', '610041'],
  ['西藏自治区', '那曲市', '双湖县', '852600'],
  ['新疆维吾尔自治区', '博尔塔拉蒙古自治州', '阿拉山口市', '833418'],
] as const
const STREETS = ['世纪大道100号', '建国路88号1602室', '麻岭一巷7号', '中山路1号', '解放西路', 'B座1204', '天府三街 199 号 3 栋 2 单元 1501']

/** Draws an address, from seven characters ("世纪大道100号") to the form's maximum. */
function drawAddress(random: SeededRandom): DrawnAddress {
  const [province, city, county, postalCode] = random.pick(PLACES)
  const aim = random.weighted<number>([
    [0, 5],
    [random.int(20, 60), 4],
    [random.int(80, 118), 2],
  ])
  let street = random.pick(STREETS)
  while (street.length < aim) street += `，${random.pick(STREETS)}`
  // some people leave the region out
  const isBare = random.percent(30)
  return { province: isBare ? '' : province, city: isBare ? '' : city, county: isBare ? '' : county, street: street.slice(0, 118), postalCode }
}

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

/**
 * Draws an identity number with its check character; the three sequence digits come from the person's seed, so that two people rarely share
 * one.
 */
function drawIdentityNumber(random: SeededRandom, birthDate: string, seed: number): string {
  const region = `${random.pick(['11', '31', '44', '51', '65'])}${String(random.int(1, 99)).padStart(2, '0')}${String(random.int(1, 99)).padStart(2, '0')}`
  const base = `${region}${birthDate.replaceAll('-', '')}${String(seed % 1000).padStart(3, '0')}`
  const total = [...base].reduce((sum, digit, at) => sum + Number(digit) * WEIGHTS[at]!, 0)
  return base + '10X98765432'[total % 11]
}

const drawPassportNumber = (random: SeededRandom): string => `${random.pick(['E', 'G', 'EA'])}${String(random.int(1_000_000, 9_999_999)).padStart(8, '1')}`

export type MobileRegion = '86' | '852' | '853' | 'other'

/** A random customer: identity, preferences for the site, and form input. */
export interface RobotPerson {
  /** Position in the run, from 0; with the seed it names the person. */
  readonly at: number
  readonly seed: number
  readonly lang: Lang
  readonly width: 414 | 1440
  readonly region: MobileRegion
  /** Contact used to sign up; a region without codes by mobile signs up by e-mail. */
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
  /** Source address of the person's requests, as a proxy on this machine reports it. */
  readonly ip: string
  /** True if the person also uses pages; the others use the API only. */
  readonly usesPages: boolean
}

const MOBILES: Readonly<Record<Exclude<MobileRegion, 'other'>, (random: SeededRandom) => string>> = {
  '86': (random) => `13${random.int(0, 9)}${String(random.int(0, 99_999_999)).padStart(8, '0')}`,
  '852': (random) => `852${random.pick(['5', '6', '9'])}${String(random.int(0, 9_999_999)).padStart(7, '0')}`,
  '853': (random) => `8536${String(random.int(0, 9_999_999)).padStart(7, '0')}`,
}

/** Changes a number that the sandbox's carrier treats badly: faults of suppliers come through the control interface only. */
export const avoidSmsFaults = (mobile: string): string => (mobile.slice(-4) in SMS_FAULTS ? `${mobile.slice(0, -1)}9` : mobile)

/** Payment passwords that are neither a sequence nor a repetition. */
const PINS = ['849371', '271828', '592614', '730852', '418207', '906143']
const ADULT_YEARS = [1948, 2006] as const
const MINOR_YEARS = [2010, 2018] as const

/** Draws the n-th person of a seed; a percentage of them uses pages. */
export function drawPerson(seed: number, at: number, pagesPercent: number): RobotPerson {
  const own = deriveSeed(seed, 'person', at)
  const random = createSeededRandom(own)
  const region = random.weighted<MobileRegion>([
    ['86', 6],
    ['852', 1.5],
    ['853', 1],
    ['other', 1.5],
  ])
  const lang = random.percent(region === 'other' ? 20 : 75) ? DEFAULT_LANG : random.pick(LANGS.filter((one) => one !== DEFAULT_LANG))
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
    mobile: region !== 'other' && random.percent(60) ? avoidSmsFaults(MOBILES[region](random)) : undefined,
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
