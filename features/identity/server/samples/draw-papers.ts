import type Sharp from 'sharp'
import { loadPackage } from '#platform/server/load-package.ts'

/** Identity documents of people who do not exist, for tests and the demo: fields as on real ones, nothing copied from them, and no real face. */
export interface SamplePerson {
  readonly name: string
  readonly latin: readonly [last: string, first: string]
  readonly number: string
  readonly passport: string
  readonly address: readonly string[]
  readonly issuer: string
  readonly from: string
  readonly until: string
}

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
/** A number with a valid check digit: region, birthday 19910228, three digits of order (odd: a man). */
export function buildIdNumber(region: string, birthday: string, order: string): string {
  const base = `${region}${birthday}${order}`
  const total = [...base].reduce((sum, digit, at) => sum + Number(digit) * WEIGHTS[at]!, 0)
  return base + '10X98765432'[total % 11]
}

/** The check digit of machine lines: weights 7, 3, 1. */
function computeMrzDigit(text: string): string {
  const value = (sign: string) => (sign === '<' ? 0 : /\d/.test(sign) ? Number(sign) : sign.charCodeAt(0) - 55)
  return String([...text].reduce((sum, sign, at) => sum + value(sign) * [7, 3, 1][at % 3]!, 0) % 10)
}

const NAMES = [
  ['欧阳修文', 'OUYANG', 'XIUWEN'],
  ['王小明', 'WANG', 'XIAOMING'],
  ['李婷婷', 'LI', 'TINGTING'],
  ['张伟', 'ZHANG', 'WEI'],
  ['陈思远', 'CHEN', 'SIYUAN'],
  ['刘洋', 'LIU', 'YANG'],
  ['周建国', 'ZHOU', 'JIANGUO'],
  ['赵敏', 'ZHAO', 'MIN'],
] as const
const PLACES = [
  ['440305', '广东省深圳市南山区粤海街道', '麻岭一巷7号深南花园裙楼', 'B座1204', '深圳市公安局南山分局'],
  ['110105', '北京市朝阳区建国路88号', '现代城5号楼1602室', '', '北京市公安局朝阳分局'],
  ['310115', '上海市浦东新区世纪大道', '1200弄36号502室', '', '上海市公安局浦东分局'],
  ['510107', '四川省成都市武侯区人民南路', '四段12号3栋2单元', '', '成都市公安局武侯分局'],
] as const

/** The n-th person: always the same. */
export function aSamplePerson(n: number): SamplePerson {
  const [name, last, first] = NAMES[n % NAMES.length]!
  const [region, a, b, c, issuer] = PLACES[n % PLACES.length]!
  const day = `${1970 + (n % 30)}${String((n % 12) + 1).padStart(2, '0')}${String((n % 27) + 1).padStart(2, '0')}`
  const woman = /婷|敏/.test(name)
  const order = String(((n * 37) % 480) * 2 + (woman ? 0 : 1)).padStart(3, '0')
  const md = `${String((n % 12) + 1).padStart(2, '0')}.${String((n % 27) + 1).padStart(2, '0')}`
  return {
    name,
    latin: [last, first],
    number: buildIdNumber(region, day, order),
    passport: `E${String(10_000_000 + ((n * 7_919_123) % 89_999_999))}`,
    address: [a, b, c].filter(Boolean),
    issuer,
    from: `${2016 + (n % 8)}.${md}`,
    until: `${2036 + (n % 8)}.${md}`,
  }
}

const FONT = 'Noto Sans CJK SC'
const text = (x: number, y: number, { size, content, more = '' }: { readonly size: number; readonly content: string; readonly more?: string }) =>
  `<text x="${x}" y="${y}" font-size="${size}" font-family="${FONT}" fill="#222" ${more}>${content.replaceAll('<', '&lt;')}</text>`
const label = (x: number, y: number, content: string) => text(x, y, { size: 32, content, more: 'style="fill:#3a6ea5"' })
const waves = (width: number, height: number) =>
  Array.from(
    { length: 12 },
    (_, at) =>
      `<path d="M0 ${at * 60} Q ${width / 4} ${at * 60 - 40} ${width / 2} ${at * 60} T ${width} ${at * 60}" fill="none" stroke="#c6d3d8" stroke-width="2"/>`,
  ).join('') + `<rect width="${width}" height="${height}" fill="none"/>`
const sheet = (width: number, height: number, { fill, content }: { readonly fill: string; readonly content: string }) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="${fill}"/>${waves(width, height)}${content}</svg>`,
  )

export function drawIdFront(it: SamplePerson): Promise<Buffer> {
  const { number } = it
  const rows = it.address.map((row, at) => text(190, 332 + at * 50, { size: 36, content: row })).join('')
  const sex = Number(number[16]) % 2 ? '男' : '女'
  return placeOnTable(
    sheet(1012, 638, {
      fill: '#e4ecee',
      content: `${label(70, 100, '姓 名')}${text(190, 104, { size: 44, content: it.name })}${label(70, 175, '性 别')}${text(190, 178, { size: 38, content: sex })}${label(310, 175, '民 族')}${text(420, 178, { size: 38, content: '汉' })}
      ${label(70, 250, '出 生')}${text(190, 252, { size: 38, content: number.slice(6, 10) })}${label(290, 250, '年')}${text(340, 252, { size: 38, content: String(Number(number.slice(10, 12))) })}${label(390, 250, '月')}${text(440, 252, { size: 38, content: String(Number(number.slice(12, 14))) })}${label(500, 250, '日')}
      ${label(70, 330, '住 址')}${rows}${label(70, 560, '公民身份号码')}${text(340, 564, { size: 46, content: number, more: 'letter-spacing="6"' })}
      <rect x="720" y="90" width="220" height="300" fill="#c2d2d8"/><circle cx="830" cy="190" r="58" fill="#8fa6b0"/><path d="M740 390 Q830 250 920 390z" fill="#8fa6b0"/>`,
    }),
  )
}

export function drawIdBack(it: SamplePerson): Promise<Buffer> {
  return placeOnTable(
    sheet(1012, 638, {
      fill: '#e4ecee',
      content: `<circle cx="170" cy="190" r="90" fill="#d98a80"/>${text(340, 140, { size: 54, content: '中华人民共和国' })}${text(360, 250, { size: 64, content: '居民身份证' })}${label(200, 470, '签发机关')}${text(380, 472, { size: 38, content: it.issuer })}${label(200, 550, '有效期限')}${text(380, 552, { size: 38, content: `${it.from}-${it.until}` })}`,
    }),
  )
}

export function drawPassport(it: SamplePerson): Promise<Buffer> {
  const [last, first] = it.latin
  const compact = (day: string) => day.slice(2).replaceAll('.', '')
  const born = it.number.slice(8, 14)
  const until = compact(it.until)
  const line1 = `POCHN${last}<<${first}`.padEnd(44, '<')
  const sex = Number(it.number[16]) % 2 ? 'M' : 'F'
  const line2 = `${it.passport}${computeMrzDigit(it.passport)}CHN${born}${computeMrzDigit(born)}${sex}${until}${computeMrzDigit(until)}${'<'.repeat(14)}0`
  const whole = `${line2}${computeMrzDigit(line2.slice(0, 10) + line2.slice(13, 20) + line2.slice(21, 43))}`
  const machine = (y: number, content: string) =>
    text(40, y, { size: 40, content, more: 'font-family="DejaVu Sans Mono" letter-spacing="2"' }).replace(`font-family="${FONT}" `, '')
  return placeOnTable(
    sheet(1250, 880, {
      fill: '#e9e4ea',
      content: `${text(60, 80, { size: 40, content: '中华人民共和国' })}${text(420, 80, { size: 40, content: '护照' })}${text(560, 80, { size: 40, content: 'PASSPORT' })}${label(400, 180, '类型/Type')}${text(400, 225, { size: 32, content: 'P' })}${label(600, 180, '国家码')}${text(600, 225, { size: 32, content: 'CHN' })}${label(850, 180, '护照号/Passport No.')}${text(850, 225, { size: 36, content: it.passport })}
      ${label(400, 290, '姓名/Name')}${text(400, 335, { size: 36, content: it.name })}${text(400, 382, { size: 34, content: `${last}, ${first}` })}${label(400, 450, '性别/Sex')}${text(400, 492, { size: 32, content: sex })}${label(760, 450, '出生日期/Date of birth')}${text(760, 492, { size: 32, content: `${born.slice(4)} ${born.slice(2, 4)} 19${born.slice(0, 2)}` })}
      ${label(760, 570, '有效期至/Date of expiry')}${text(760, 612, { size: 32, content: `${until.slice(4)} ${until.slice(2, 4)} 20${until.slice(0, 2)}` })}<rect x="60" y="150" width="280" height="380" fill="#cfc4cf"/><circle cx="200" cy="290" r="80" fill="#a99aaa"/>
      ${machine(790, line1)}${machine(850, whole)}`,
    }),
  )
}

const HAIR = ['#2b2421', '#3b2b22', '#4a4440', '#1f1d24'] as const
const CLOTHES = ['#46617a', '#7a5a46', '#4f6b52', '#6a4f6e'] as const

/** Portrait of a made-up person, drawn from the front. */
export function drawHolder({ number }: SamplePerson): Promise<Buffer> {
  const order = Number(number.slice(14, 17))
  const hair = HAIR[order % HAIR.length]!
  const isWoman = order % 2 === 0
  const long = isWoman ? `<path d="M282 470 Q270 800 330 860 L570 860 Q630 800 618 470z" fill="${hair}"/>` : ''
  const features = `<ellipse cx="388" cy="505" rx="15" ry="11" fill="#2a2320"/><ellipse cx="512" cy="505" rx="15" ry="11" fill="#2a2320"/><path d="M360 466 q28 -16 56 0 M484 466 q28 -16 56 0" fill="none" stroke="${hair}" stroke-width="9"/><path d="M450 520 q-16 66 -4 76 q14 6 22 -2" fill="none" stroke="#c48f70" stroke-width="7"/><path d="M398 654 q52 34 104 0" fill="none" stroke="#a8564c" stroke-width="11" stroke-linecap="round"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="1200"><rect width="900" height="1200" fill="#d9dfe2"/>${long}<path d="M90 1200 Q110 900 360 870 L540 870 Q790 900 810 1200z" fill="${CLOTHES[order % CLOTHES.length]!}"/><path d="M380 720 h140 v150 q-70 70 -140 0z" fill="#d9a986"/><ellipse cx="450" cy="530" rx="158" ry="212" fill="#e8bc9a"/><path d="M286 510 Q270 290 450 282 Q630 290 614 510 Q590 400 520 392 Q400 420 340 396 Q300 430 286 510z" fill="${hair}"/>${features}</svg>`
  return loadPackage<typeof Sharp>('sharp')(Buffer.from(svg)).jpeg({ quality: 92 }).toBuffer()
}

/** Places a paper on a background, as in a photo. */
async function placeOnTable(svg: Buffer): Promise<Buffer> {
  return loadPackage<typeof Sharp>('sharp')(svg).extend({ top: 60, bottom: 60, left: 70, right: 70, background: '#7d7468' }).jpeg({ quality: 92 }).toBuffer()
}
