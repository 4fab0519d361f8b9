import { allowsSandbox } from '#platform/server/config.ts'
import type { Deps, SandboxPanel } from '#platform/server/feature.ts'
import { LANGS } from '#platform/shared/languages.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { inEachLang } from './page.ts'
import { supportServerTexts } from '../server-texts.ts'
import { listConversations } from '../desk/conversations.ts'

const STATE_TEXT = { open: 'state_open', waiting: 'state_waiting', closed: 'state_closed' } as const

const columnsByLang = LANGS.map((lang) => supportServerTexts[lang].sandbox_columns.split('|'))
const columns = columnsByLang[0]!.map((_, index) => columnsByLang.map((names) => names[index]).join(' '))

/** Conversations for `/sandbox`, each with the way to answer it. */
export async function supportPanel({ db, config }: Deps): Promise<SandboxPanel> {
  const rows = allowsSandbox(config, 'support') ? await listConversations(db, { limit: 30 }) : []
  return {
    title: inEachLang('sandbox_title'),
    about: inEachLang('sandbox_about'),
    columns,
    rows: rows.map((row) => [
      toShanghaiTime(row.updatedAt),
      row.from,
      inEachLang(STATE_TEXT[row.state]),
      row.preview.slice(0, 200),
      { text: inEachLang('sandbox_open'), href: `/sandbox/support/${row.id}` },
    ]),
  }
}
