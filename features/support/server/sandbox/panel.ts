import { allowsSandbox } from '#platform/server/config.ts'
import type { Deps, SandboxPanel } from '#platform/server/feature.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { both } from './page.ts'
import { supportServerTexts } from '../server-texts.ts'
import { listConversations } from '../desk/list-conversations.ts'
import { LANGS } from '#platform/shared/languages.ts'

const STATE_TEXT = { open: 'state_open', waiting: 'state_waiting', closed: 'state_closed' } as const

const names = LANGS.map((lang) => supportServerTexts[lang].sandbox_columns.split('|'))
const columns = names[0]!.map((_, index) => names.map((own) => own[index]).join(' '))

/** Conversations for `/sandbox`, each with the way to answer it. */
export async function supportPanel({ db, config }: Deps): Promise<SandboxPanel> {
  const rows = allowsSandbox(config, 'support') ? await listConversations(db, { limit: 30 }) : []
  return {
    title: both('sandbox_title'),
    about: both('sandbox_about'),
    columns,
    rows: rows.map((row) => [
      toShanghaiTime(row.updatedAt),
      row.from,
      both(STATE_TEXT[row.state]),
      row.preview.slice(0, 200),
      { text: both('sandbox_open'), href: `/sandbox/support/${row.id}` },
    ]),
  }
}
