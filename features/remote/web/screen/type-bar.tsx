import { Languages, X } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { Button } from '#ui/button.tsx'
import { remoteTexts } from '../../texts.ts'
import { MAX_PASTE_LENGTH } from '../../wire.ts'
import { buildKeyPress } from './input.ts'
import type { RemoteLinkView } from './use-link.ts'

/** Chinese is composed here, with one's own input method, and sent whole with Enter; an Enter in an empty bar is an Enter over there. */
export function TypeBar({ link, onClose }: { readonly link: RemoteLinkView; readonly onClose: () => void }) {
  const t = useTexts(remoteTexts)
  const mobile = useIsMobile()
  const [text, setText] = useState('')
  const send = () => {
    if (text) link.send({ do: 'text', text })
    else for (const wish of buildKeyPress('Enter')) link.send(wish)
    setText('')
  }
  return (
    <form
      aria-label={t('screenType')}
      className="flex h-[60px] shrink-0 items-center gap-3 border-t border-line bg-surface px-5 mobile:px-3"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <label htmlFor="type-chinese" className="flex shrink-0 items-center gap-2 text-14 font-semibold">
        <Languages size={18} strokeWidth={1.75} aria-hidden="true" />
        <span lang="zh">{t('screenTypeLabel')}</span>
      </label>
      <input
        id="type-chinese"
        value={text}
        maxLength={MAX_PASTE_LENGTH}
        placeholder={t('screenTypeHere')}
        onChange={(event) => setText(event.target.value)}
        autoComplete="off"
        className="input w-[400px] shrink mobile:w-full"
      />
      <Button type="submit" size="sm" variant="secondary" className="shrink-0">
        {t('screenSend')}
      </Button>
      {mobile ? null : <p className="min-w-0 flex-1 truncate text-13 text-fg-3">{t('screenTypeDirect')}</p>}
      <button type="button" className="icon-btn shrink-0" aria-label={t('screenTypeClose')} title={t('screenTypeClose')} onClick={onClose}>
        <X size={18} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </form>
  )
}
