import { LANGS, type TextKeyOf } from '#platform/shared/texts.ts'
import {
  BookOpen,
  Bug,
  CircleQuestionMark,
  Copy,
  FileText,
  Headset,
  Gift,
  House,
  Keyboard,
  Languages,
  LogIn,
  MessageSquareWarning,
  Monitor,
  Moon,
  Plus,
  ReceiptText,
  Sparkles,
  Sun,
  UserRound,
  Wallet,
} from 'lucide-react'
import { HAS_DEV_PANEL } from '../dev-panel/visibility.ts'
import { navLines } from '../zones/zones.ts'
import { layerTexts } from '../layer-texts.ts'

/** Scores how well the input matches one of the words: 0 for no match, higher is better. */
export function scoreMatch(typed: string, words: readonly string[]): number {
  const wanted = foldSearchText(typed)
  if (!wanted) return 1
  return Math.max(0, ...words.map((word) => scoreOne(wanted, foldSearchText(word))))
}

/** Ignores width, case, accents and everything between letters: "GPT 5.1" finds gpt-5.1, "Ｃｌａｕｄｅ" finds claude. */
function foldSearchText(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

function scoreOne(wanted: string, word: string): number {
  if (!word) return 0
  if (word === wanted) return 100
  if (word.startsWith(wanted)) return 80
  const at = word.indexOf(wanted)
  if (at > 0) return 60 - Math.min(20, at)
  return wanted.length > 2 && isSubsequence(wanted, word) ? 10 : 0
}

/** Matches with letters left out in the middle: "cldsonnet" still finds claude-sonnet. */
function isSubsequence(wanted: string, word: string): boolean {
  let at = 0
  for (const letter of word) if (letter === wanted[at]) at++
  return at === wanted.length
}

type LayerTextKey = TextKeyOf<typeof layerTexts>
export type PaletteGroup = 'recent' | 'go' | 'do' | 'models' | 'orders' | 'help' | 'look'

/** One line of the palette. `label` is ready text, else `text` is a key. */
export interface PaletteEntry {
  readonly id: string
  readonly group: PaletteGroup
  readonly text?: LayerTextKey
  readonly label?: string
  readonly note?: string
  readonly Icon: typeof Plus
  readonly find?: string
  /** An additional phrase that finds the entry. */
  readonly also?: string
  readonly keys?: readonly string[]
  readonly for?: 'user' | 'visitor'
  /** Target of models, orders and articles; other entries run their command. */
  readonly to?: { readonly path: string; readonly search?: Readonly<Record<string, string>> }
}

const COMMANDS: readonly PaletteEntry[] = [
  { id: 'newKey', group: 'do', text: 'newKey', Icon: Plus, find: 'chuangjianmiyao cjmy api key create', keys: ['N'], for: 'user' },
  { id: 'recharge', group: 'do', text: 'recharge', Icon: Wallet, find: 'chongzhi cz pay topup', for: 'user' },
  { id: 'signIn', group: 'do', text: 'signIn', Icon: LogIn, find: 'denglu dl login register zhuce', for: 'visitor' },
  { id: 'copyOpenai', group: 'do', text: 'copyOpenai', Icon: Copy, find: 'fuzhi base url codex endpoint' },
  { id: 'copyAnthropic', group: 'do', text: 'copyAnthropic', Icon: Copy, find: 'fuzhi base url claude code endpoint' },
  { id: 'copyGemini', group: 'do', text: 'copyGemini', Icon: Copy, find: 'fuzhi base url google endpoint' },
  { id: 'contact', group: 'do', text: 'contact', Icon: Headset, find: 'kefu lianxi support' },
  { id: 'complaint', group: 'do', text: 'complaint', Icon: MessageSquareWarning, find: 'tousu jianyi report' },
  ...navLines.map((line): PaletteEntry => ({
    id: line.id,
    group: 'go',
    text: line.text,
    Icon: line.Icon,
    ...(line.find ? { find: line.find } : {}),
    ...(line.visitors ? {} : { for: 'user' as const }),
  })),
  { id: 'invite', group: 'go', text: 'invite', Icon: Gift, find: 'yaoqing youli yqyl jiangli haoyou friends reward', for: 'user' },
  { id: 'account', group: 'go', text: 'settings', Icon: UserRound, find: 'zhanghu anquan shezhi password', keys: ['G', 'A'], for: 'user' },
  { id: 'help', group: 'go', text: 'helpCentre', Icon: CircleQuestionMark, find: 'bangzhu docs jiaocheng', keys: ['G', 'H'] },
  { id: 'home', group: 'go', text: 'homePage', Icon: House, find: 'shouye landing' },
  { id: 'terms', group: 'go', text: 'terms', Icon: FileText, find: 'tiaokuan' },
  { id: 'privacy', group: 'go', text: 'privacy', Icon: FileText, find: 'yinsi' },
  { id: 'theme_light', group: 'look', text: 'toLight', Icon: Sun, find: 'qianse theme' },
  { id: 'theme_dark', group: 'look', text: 'toDark', Icon: Moon, find: 'shense anse theme' },
  { id: 'theme_system', group: 'look', text: 'toSystem', Icon: Monitor, find: 'xitong theme' },
  { id: 'lang', group: 'look', text: 'toOther', Icon: Languages, find: 'yuyan language english zhongwen' },
  { id: 'shortcuts', group: 'look', text: 'shortcuts', Icon: Keyboard, find: 'kuaijiejian keys', keys: ['?'] },
  ...(HAS_DEV_PANEL ? [{ id: 'dev', group: 'look', text: 'dev', Icon: Bug, find: 'debug kaifa' } as const] : []),
]

interface PaletteData {
  readonly signedIn: boolean
  readonly models: readonly { readonly modelValue: string; readonly modelName: string; readonly vendor: string; readonly aliases: readonly string[] }[]
  readonly orders: readonly { readonly orderNo: string; readonly note: string }[]
  /** `other` is the title in the other language, which also finds the entry. */
  readonly articles: readonly { readonly slug: string; readonly title: string; readonly other: string }[]
  readonly recent: readonly string[]
}

const MAX_MATCHES: Partial<Record<PaletteGroup, number>> = { models: 6, help: 5 }
const ORDER_NO = /^\d{8}-?[0-9A-Z]{12}$/i

/** Entries that match the input, best first within each group; without input, the recent ones followed by all others. */
export function findEntries(typed: string, { signedIn, models, orders, articles, recent }: PaletteData): readonly PaletteEntry[] {
  const open = COMMANDS.filter((entry) => !entry.for || (entry.for === 'user') === signedIn)
  if (!typed.trim()) {
    const again = recent.flatMap((id) => open.filter((entry) => entry.id === id)).map((entry): PaletteEntry => ({ ...entry, group: 'recent' }))
    return [...again, ...open.filter((entry) => !recent.includes(entry.id))]
  }
  const ranked = [...open, ...toModelEntries(models), ...toArticleEntries(articles)]
    .map((entry) => ({ entry, points: scoreMatch(typed, listSearchWords(entry)) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
  const groups = [...new Set(ranked.map(({ entry }) => entry.group))]
  const found = groups.flatMap((group) => {
    const own = ranked.filter(({ entry }) => entry.group === group).map(({ entry }) => entry)
    return own.slice(0, MAX_MATCHES[group])
  })
  return [...toOrderEntries(typed, orders), ...found]
}

function listSearchWords({ text, label, find, also, id, note }: PaletteEntry): string[] {
  const each = text ? LANGS.map((lang) => layerTexts[lang][text]) : []
  return [...each, label ?? '', note ?? '', also ?? '', ...(find?.split(' ') ?? []), id]
}

function toModelEntries(models: PaletteData['models']): PaletteEntry[] {
  return models.map((model) => ({
    id: `model:${model.modelValue}`,
    group: 'models',
    label: model.modelName,
    note: model.modelValue,
    Icon: Sparkles,
    find: [model.vendor, ...model.aliases].join(' '),
    to: { path: '/pricing', search: { model: model.modelValue } },
  }))
}

function toArticleEntries(articles: PaletteData['articles']): PaletteEntry[] {
  return articles.map(({ slug, title, other }) => ({
    id: `help:${slug}`,
    group: 'help',
    label: title,
    Icon: BookOpen,
    find: slug,
    also: other,
    to: { path: `/help/${slug}` },
  }))
}

/** Finds orders: a whole number opens that order, four or more characters match the user's own. */
function toOrderEntries(typed: string, orders: PaletteData['orders']): PaletteEntry[] {
  const wanted = typed.trim().toUpperCase()
  const own = wanted.length >= 4 ? orders.filter(({ orderNo }) => orderNo.includes(wanted)) : []
  const whole = ORDER_NO.test(wanted) && !own.length ? [{ orderNo: wanted.includes('-') ? wanted : `${wanted.slice(0, 8)}-${wanted.slice(8)}`, note: '' }] : []
  return [...own.slice(0, 3), ...whole].map(({ orderNo, note }) => ({
    id: `order:${orderNo}`,
    group: 'orders',
    label: orderNo,
    ...(note ? { note } : {}),
    Icon: ReceiptText,
    to: { path: `/orders/${orderNo}`, search: {} },
  }))
}
