/** Names of charsets in mail that mean GB18030, which contains GBK and GB2312: senders write characters of the larger ones under the smaller names. */
const GB = /^(?:gb18030(?:-\d{4})?|gbk|x-gbk|gb_?2312(?:-80)?|csgb2312|csgbk|euc-?cn|x-euc-cn|cp_?936|ms936|windows-936|936|chinese|hz|gb)$/
const BIG5 = /^(?:big5.*|cn-big5|x-x-big5|csbig5|cp_?950|windows-950|950)$/
const UTF8 = /^(?:utf-?8.*|unicode-1-1-utf-8|65001|cp65001)$/
/** Charset names without information: senders that do not know the charset use them. */
const UNSPECIFIED_CHARSET = /^(?:us-ascii|ascii|ansi_x3.*|unknown.*|x-unknown|default.*|none|binary|8bit|)$/
const LATIN = /^(?:iso-?8859-1|latin-?1|windows-1252|cp1252|iso_8859-1)$/

/**
 * Resolves a charset name to one that TextDecoder supports; '' if it is unknown or without information. HZ and ISO-2022-CN keep their
 * names.
 */
export function normalizeCharset(name: string | undefined): string {
  const label = (name ?? '')
    .trim()
    .replace(/^["']|["']$/g, '')
    .toLowerCase()
  if (UNSPECIFIED_CHARSET.test(label)) return ''
  if (label === 'hz-gb-2312' || /^iso-2022-cn/.test(label)) return label.slice(0, 11)
  if (GB.test(label)) return 'gb18030'
  if (BIG5.test(label)) return 'big5'
  if (UTF8.test(label)) return 'utf-8'
  try {
    return new TextDecoder(label).encoding
  } catch {
    return ''
  }
}

/** Decodes the text; undefined if some bytes are invalid in the charset. Ignores a character cut off at the end. */
function decodeStrictly(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

/** Common two-byte characters of UTF-8 texts in Latin, Greek, Cyrillic, Hebrew and Arabic script. */
const COMMON_CHARACTERS = /[\u00a0-\u017f\u0391-\u03c9\u0400-\u045f\u05d0-\u05ea\u0620-\u064a\u0660-\u0669]/
const MARK_ALONE = /(?:^|[^\p{L}\p{M}])(?![\u0800-\u{10ffff}])\p{M}/u
const HIGH = /[\u0080-\u{10ffff}]/u

/**
 * True if the bytes are UTF-8. Two-byte sequences may also be GBK: 通知 reads as two combining marks,
 * 营业 as two letters of Kazakh and Bashkir. Without a common letter among them, they count as Chinese.
 */
export function isUtf8(bytes: Uint8Array): boolean {
  const text = decodeStrictly(bytes, 'utf-8')
  if (text === undefined) return false
  if (!HIGH.test(text) || /[\u0800-\u{10ffff}]/u.test(text)) return true
  return !MARK_ALONE.test(text) && (COMMON_CHARACTERS.test(text) || decodeStrictly(bytes, 'gb18030') === undefined)
}

/** Most frequent characters of codes, notices and letters, as a sample of the script. */
const SIMPLIFIED = new Set(
  '的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系军很情者最立代想已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处队南给色光门即保治北造百规热领七海口东导器压志世金增争济阶油思术极交受联什认六共权收证改清己美再采转更单风切打白教速花带安场身车例真务具万每目至达走积示议声报斗完类八离华名确才科张信马节话米整空元况今验码邮箱名称账号密码登录注册您请有效分钟客服订单支付通知发票银行招商附件测试欢迎使用容量提醒警告',
)
const TRADITIONAL = new Set(
  '的一是在不了有和人這中大為上個國我以要他時來用們生到作地於出就分對成會可主發年動同工也能下過子說產種面而方後多定行學法所民得經十三之進著等部度家電力裡如水化高自二理起小現實加量都兩體制機當使點從業本去把性好應開它合還因由其些然前外天政四日那社義事平形相全表間樣與關各重新線內數正心反你明看原又麼利比或但質氣第向道命此變條只沒結解問意建月公無係軍很情者最立代想已通並提直題黨程展五果料象員革位入常文總次品式活設及管特件長求老頭基資邊流路級少圖山統接知較將組見計別她手角期根論運農指幾九區強放決西被做必戰先回則任取據處隊南給色光門即保治北造百規熱領七海口東導器壓志世金增爭濟階油思術極交受聯什認六共權收證改清己美再採轉更單風切打白教速花帶安場身車例真務具萬每目至達走積示議聲報鬥完類八離華名確才科張信馬節話米整空元況今驗碼郵箱稱帳號密登錄註冊您請效鐘客服訂付通知票銀行附件測試歡迎',
)

function scoreText(text: string | undefined, common: ReadonlySet<string>): number {
  if (text === undefined) return -1
  let [seen, hits] = [0, 0]
  for (const sign of text) {
    if (sign < '\u0080') continue
    // Punctuation and full-width forms, which both scripts share.
    if ((sign >= '\u3000' && sign <= '\u303f') || (sign >= '\uff00' && sign <= '\uffef')) continue
    seen++
    if (common.has(sign)) hits++
  }
  return seen ? hits / seen : 0
}

/** True if every run of high bytes consists of GB2312 pairs, which is rare in Western single-byte text. */
function isAllPairs(bytes: Uint8Array): boolean {
  let pairs = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at]! < 0x80) continue
    const [first, second] = [bytes[at]!, bytes[at + 1] ?? 0]
    if (!((first >= 0xa1 && first <= 0xa9) || (first >= 0xb0 && first <= 0xf7)) || second < 0xa1) return at === bytes.length - 1 && pairs > 1
    at++
    pairs++
  }
  return pairs > 1
}

function hasPairs(bytes: Uint8Array): boolean {
  for (let at = 1; at < bytes.length; at++) if (bytes[at - 1]! >= 0x80 && bytes[at]! >= 0x80) return true
  return false
}

const GUESSED_BYTES = 65_536

/**
 * Determines the charset of bytes whose declared one is missing or wrong: the declared one if the bytes are valid in it, else a detected
 * one.
 */
export function guessCharset(whole: Uint8Array, named = ''): string {
  const bytes = whole.subarray(0, GUESSED_BYTES)
  if (named.startsWith('hz-') || named.startsWith('iso-2022')) return named
  if (named && !LATIN.test(named)) {
    const text = decodeStrictly(bytes, named)
    // Most UTF-8 is also valid GBK; accidental three-byte characters are rarer than a wrong declaration.
    if (text !== undefined && (named === 'utf-8' || !isLongUtf8(bytes))) return named
  }
  if (isUtf8(bytes)) return 'utf-8'
  if (LATIN.test(named) && !isAllPairs(bytes)) return named
  if (!named && !hasPairs(bytes)) return 'windows-1252'
  const [simplified, traditional] = [scoreText(decodeStrictly(bytes, 'gb18030'), SIMPLIFIED), scoreText(decodeStrictly(bytes, 'big5'), TRADITIONAL)]
  if (simplified < 0 && traditional < 0) return named || 'gb18030'
  return traditional > simplified ? 'big5' : 'gb18030'
}

/** True if the bytes are UTF-8 with characters of three or more bytes. */
function isLongUtf8(bytes: Uint8Array): boolean {
  const text = decodeStrictly(bytes, 'utf-8')
  return text !== undefined && /[\u0800-\u{10ffff}]{2}/u.test(text)
}

/** Escape sequence that designates a character set; the shifts that follow apply it. */
const DESIGNATION = new RegExp(String.raw`\u001b\$[)*+][A-Z]`, 'g')

/** Decodes charsets that TextDecoder lacks: HZ (`~{` to `~}`) and ISO-2022-CN (shifts), both seven-bit forms of GB2312. */
export function decodeText(bytes: Uint8Array, charset: string): string {
  if (charset === 'hz-gb-2312')
    return decodeSevenBit(bytes, { from: '~{', to: '~}' })
      .replaceAll('~~', '~')
      .replace(/~\r?\n/g, '')
  if (charset === 'iso-2022-cn') return decodeSevenBit(bytes, { from: '\x0e', to: '\x0f' }).replace(DESIGNATION, '')
  return new TextDecoder(charset).decode(bytes)
}

function decodeSevenBit(bytes: Uint8Array, { from, to }: { from: string; to: string }): string {
  const text = Buffer.from(bytes).toString('latin1')
  const gb = new TextDecoder('gb18030')
  return text
    .split(from)
    .map((piece, index) => {
      if (index === 0) return piece
      const end = piece.indexOf(to)
      const shifted = end < 0 ? piece : piece.slice(0, end)
      const high = Buffer.from(shifted, 'latin1').map((byte) => (byte > 0x20 ? byte | 0x80 : byte))
      return gb.decode(high) + (end < 0 ? '' : piece.slice(end + to.length))
    })
    .join('')
}
