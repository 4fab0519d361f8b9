import type { SeededRandom } from './random.ts'

export interface DrawnAddress {
  readonly province: string
  readonly city: string
  readonly county: string
  /** 5 to 200 characters with the parts before it, as people type it. */
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

export interface DrawnName {
  readonly chinese: string
  readonly last: string
  readonly first: string
}

/** Two to thirty characters; the long ones are names of minorities with a middle dot. */
export function drawChineseName(random: SeededRandom): DrawnName {
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
export function drawForeignName(random: SeededRandom): Omit<DrawnName, 'chinese'> {
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

/** From seven characters ("世纪大道100号") to what the form just takes. */
export function drawAddress(random: SeededRandom): DrawnAddress {
  const [province, city, county, postalCode] = random.pick(PLACES)
  const aim = random.weighted<number>([
    [0, 5],
    [random.int(20, 60), 4],
    [random.int(80, 118), 2],
  ])
  let street = random.pick(STREETS)
  while (street.length < aim) street += `，${random.pick(STREETS)}`
  // some leave the region out of the form
  const isBare = random.percent(30)
  return { province: isBare ? '' : province, city: isBare ? '' : city, county: isBare ? '' : county, street: street.slice(0, 118), postalCode }
}

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

/** With its check sign; the three digits of order come from the person's own seed, so that two people rarely share one. */
export function drawIdentityNumber(random: SeededRandom, birthDate: string, seed: number): string {
  const region = `${random.pick(['11', '31', '44', '51', '65'])}${String(random.int(1, 99)).padStart(2, '0')}${String(random.int(1, 99)).padStart(2, '0')}`
  const base = `${region}${birthDate.replaceAll('-', '')}${String(seed % 1000).padStart(3, '0')}`
  const total = [...base].reduce((sum, digit, at) => sum + Number(digit) * WEIGHTS[at]!, 0)
  return base + '10X98765432'[total % 11]
}

export const drawPassportNumber = (random: SeededRandom): string =>
  `${random.pick(['E', 'G', 'EA'])}${String(random.int(1_000_000, 9_999_999)).padStart(8, '1')}`
