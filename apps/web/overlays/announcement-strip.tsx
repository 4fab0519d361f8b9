import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { announcementFile } from '#features/site/contract-announcement-file.ts'
import type { ShownAnnouncement } from '#features/site/contract-announcement-file.ts'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { storeValue, readStored } from '#platform/web/state/storage.ts'
import { AnnouncementBar } from '#ui/announcement-bar.tsx'
import { hasLangPath } from '../lang-path.ts'
import { layerTexts } from '../layer-texts.ts'
import { markStripReported, useStripPlace } from './strip-place.ts'

const FRESH_MS = 60_000
/** Longer than any announcement lasts. */
const CLOSED_MS = 100 * 86_400_000
/** Stored per device, whichever user signs in. */
const toClosedKey = (id: string) => `once.news.${id}`

/** Shows the operators' announcements above the page, one at a time, until closed. Loaded when the page is idle. */
export function AnnouncementStrip() {
  const t = useTexts(layerTexts)
  const lang = useLang()
  const { pathname } = useLocation()
  const signedIn = useSignedIn()
  const [rows, setRows] = useState<readonly ShownAnnouncement[]>([])
  useEffect(() => watchAnnouncements(setRows), [])
  useStripPlace(hasLangPath(pathname) ? 'site' : 'console')
  const here = hasLangPath(pathname) ? 'site' : signedIn ? 'console' : undefined
  const row = rows.find(({ id, place }) => (place === 'everywhere' || place === here) && readStored(toClosedKey(id)) === undefined)
  const strip = document.getElementById('strip')
  if (!row || !strip) return null
  const close = () => {
    storeValue(toClosedKey(row.id), '1', CLOSED_MS)
    setRows((old) => old.filter(({ id }) => id !== row.id))
  }
  const isOwn = row.link.startsWith('/')
  return createPortal(
    <aside aria-label={t('announcement')} className="border-b border-line bg-surface">
      <div className="mx-auto max-w-[1488px] px-6 mobile:px-5">
        <AnnouncementBar
          kind={row.kind}
          {...row[lang]}
          more={
            row.link ? (
              <a href={row.link} className="link" {...(isOwn ? {} : { target: '_blank', rel: 'noopener noreferrer' })}>
                {t('announcementMore')}
              </a>
            ) : undefined
          }
          closeWord={t('announcementClose')}
          onClose={close}
        />
      </div>
    </aside>,
    strip,
  )
}

/** Fetches announcements now, then every minute while the page is visible; the browser's HTTP cache applies. */
function watchAnnouncements(tell: (rows: readonly ShownAnnouncement[]) => void): () => void {
  let asked = 0
  const ask = async () => {
    if (document.visibilityState !== 'visible' || Date.now() - asked < FRESH_MS) return
    asked = Date.now()
    try {
      const reply = await fetch('/announcements.json', { credentials: 'omit' })
      const file = reply.ok ? announcementFile.safeParse(await reply.json()) : undefined
      if (file?.success) tell(file.data.announcements)
    } catch {
      // Keep the last announcements.
    }
    markStripReported('announcements')
  }
  const onLook = () => void ask()
  onLook()
  const timer = setInterval(onLook, FRESH_MS)
  document.addEventListener('visibilitychange', onLook)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', onLook)
  }
}
