import {
  ChartNoAxesColumn,
  CircleArrowUp,
  CreditCard,
  Globe,
  KeyRound,
  LayoutGrid,
  Link2,
  List,
  Mail,
  MessagesSquare,
  MonitorUp,
  Network,
  ReceiptText,
  Smartphone,
  Tags,
} from 'lucide-react'
import { ZONE_OF_SERVICE, type ServiceId, type ServiceZone } from '#features/services/contract-zones.ts'
import type { shellTexts } from '../texts.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

type ShellTextKey = TextKeyOf<typeof shellTexts>

/** One navigation target, shown in the header's menu, the console's navigation, the phone's sheet and the palette. */
export interface NavLine {
  readonly id: string
  readonly text: ShellTextKey
  readonly note: ShellTextKey
  readonly Icon: typeof Tags
  readonly path: string
  /** Related pages for which this line counts as current. */
  readonly also?: readonly string[]
  readonly search?: Readonly<Record<string, string>>
  /** Open to visitors. */
  readonly visitors?: true
  /** Shown in the console's bottom tabs on phones; at most four. */
  readonly thumb?: true
  /** Additional search words in the palette: pinyin, its initials, synonyms. */
  readonly find?: string
}
export interface NavZone {
  readonly id: ServiceZone
  readonly text: ShellTextKey
  readonly lines: readonly NavLine[]
}
interface ServiceLine extends NavLine {
  readonly service: ServiceId
}

/** The API's own pages. The service is in the zone `independent` of the hub; here its pages form the console's first group. */
const apiLines: readonly NavLine[] = [
  { id: 'overview', text: 'overview', note: 'overviewNote', Icon: LayoutGrid, path: '/api', thumb: true, find: 'gailan gl console kongzhitai' },
  {
    id: 'keys',
    text: 'keys',
    note: 'keysNote',
    Icon: KeyRound,
    path: '/api',
    search: { tab: 'keys' },
    find: 'miyao my api key',
  },
  {
    id: 'requests',
    text: 'requests',
    note: 'requestsNote',
    Icon: List,
    path: '/api',
    search: { tab: 'requests' },
    find: 'qingqiu qq calls diaoyong xiaopiao refused log rizhi',
  },
  {
    id: 'usage',
    text: 'usage',
    note: 'usageNote',
    Icon: ChartNoAxesColumn,
    path: '/api',
    search: { tab: 'billingDetails' },
    thumb: true,
    find: 'yongliang yl billing zhangdan',
  },
  {
    id: 'records',
    text: 'records',
    note: 'recordsNote',
    Icon: ReceiptText,
    path: '/api',
    search: { tab: 'rechargeRecord' },
    also: ['/orders', '/withdrawals', '/receipts'],
    find: 'zijin zj shouzhi chongzhijilu czjl dingdan dd orders tixian tx withdraw refund fapiao fp invoice receipt shouju',
  },
  {
    id: 'prices',
    text: 'prices',
    note: 'pricesNote',
    Icon: Tags,
    path: '/api',
    search: { tab: 'pricing' },
    visitors: true,
    thumb: true,
    find: 'jiage jg models moxing',
  },
]
const serviceLines: readonly ServiceLine[] = [
  {
    id: 'card',
    service: 'card',
    text: 'card',
    note: 'cardNote',
    Icon: CreditCard,
    path: '/card',
    also: ['/select-card'],
    thumb: true,
    find: 'wodeka wdk ka xunika kaika visa virtual',
  },
  {
    id: 'bills',
    service: 'card',
    text: 'bills',
    note: 'billsNote',
    Icon: ReceiptText,
    path: '/bill',
    find: 'kazhangdan kzd zhangdan yuejiedan bills statement transactions',
  },
  {
    id: 'upgrade',
    service: 'upgrade',
    text: 'upgrade',
    note: 'upgradeNote',
    Icon: CircleArrowUp,
    path: '/gpt-upgrade',
    visitors: true,
    find: 'yijianshengji yjsj shengji chatgpt plus pro team cursor suno midjourney poe upgrade',
  },
  {
    id: 'flex',
    service: 'flex',
    text: 'flex',
    note: 'flexNote',
    Icon: MessagesSquare,
    path: '/gpt-plus-share',
    visitors: true,
    find: 'gongxiangdingyue gxdy chatgpt claude sora plus shared subscription duihua',
  },
  {
    id: 'forward',
    service: 'forward',
    text: 'forward',
    note: 'forwardNote',
    Icon: Link2,
    path: '/api-forwards',
    find: 'zhuanfa zf forward base url key gpt',
  },
  {
    id: 'registration',
    service: 'registration',
    text: 'registration',
    note: 'registrationNote',
    Icon: KeyRound,
    path: '/openai-register',
    find: 'zhuce zc register',
  },
  {
    id: 'numbers',
    service: 'numbers',
    text: 'numbers',
    note: 'numbersNote',
    Icon: Smartphone,
    path: '/sms',
    find: 'haoma hm duanxin yanzhengma sms',
  },
  { id: 'mailbox', service: 'mail', text: 'mailbox', note: 'mailboxNote', Icon: Mail, path: '/email', find: 'youxiang yx email' },
  {
    id: 'network',
    service: 'proxy',
    text: 'network',
    note: 'networkNote',
    Icon: Network,
    path: '/network',
    find: 'daili dl proxy socks http kuozhan extension switchyomega vpn',
  },
  {
    id: 'remote',
    service: 'remote',
    text: 'remote',
    note: 'remoteNote',
    Icon: MonitorUp,
    path: '/remote',
    find: 'yuancheng yc liulanqi llq remote kasm huanjing meiguo',
  },
  {
    id: 'browser',
    service: 'accelerated',
    text: 'browser',
    note: 'browserNote',
    Icon: Globe,
    path: '/browser',
    find: 'jiasu liulanqi jsllq llq browser wildcard windows macos xiazai download',
  },
]
const ZONE_TEXTS = { card: 'zoneCard', independent: 'zoneIndependent', openai: 'zoneOpenai', tool: 'zoneTool' } as const satisfies Partial<
  Record<ServiceZone, ShellTextKey>
>

/** A new service is one line in `serviceLines` and its zone in `ZONE_OF_SERVICE`; an empty zone is not shown. */
export const navZones: readonly NavZone[] = [
  { id: 'view' as const, text: 'zoneView' as const, lines: apiLines },
  ...(['card', 'independent', 'openai', 'tool'] as const).map((id) => ({
    id,
    text: ZONE_TEXTS[id],
    lines: serviceLines.filter(({ service }) => ZONE_OF_SERVICE[service] === id),
  })),
].filter((zone) => zone.lines.length > 0)
export const navLines: readonly NavLine[] = navZones.flatMap((zone) => zone.lines)
