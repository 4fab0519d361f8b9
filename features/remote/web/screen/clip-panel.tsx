import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { ReceiptRow } from '#ui/receipt.tsx'
import type { RemoteSession } from '../../contract.ts'
import { remoteTexts } from '../../texts.ts'
import { MAX_PASTE_LENGTH } from '../../wire.ts'
import type { RemoteLinkView } from './use-link.ts'

/** Text goes in and comes out by a press, never by itself; below it what this costs and how well it comes. */
export function ClipPanel({ link, session }: { readonly link: RemoteLinkView; readonly session: RemoteSession | undefined }) {
  const t = useTexts(remoteTexts)
  const [text, setText] = useState('')
  const { taken, size, fps, delay } = link.state
  return (
    <aside
      aria-label={t('screenClip')}
      className="flex w-[312px] shrink-0 flex-col gap-5 overflow-y-auto border-l border-line bg-surface p-5 mobile:max-h-[45vh] mobile:w-full mobile:border-t mobile:border-l-0"
    >
      <section aria-labelledby="clip-in">
        <h2 id="clip-in" className="mb-2 text-14 font-semibold">
          {t('screenIn')}
        </h2>
        <textarea
          aria-labelledby="clip-in"
          placeholder={t('screenInHint')}
          value={text}
          maxLength={MAX_PASTE_LENGTH}
          onChange={(event) => setText(event.target.value)}
          className="input h-20 w-full resize-none py-2"
        />
        <div className="mt-2 flex justify-end">
          <Button size="sm" disabled={!text} onClick={() => link.send({ do: 'text', text })}>
            {t('screenPaste')}
          </Button>
        </div>
      </section>
      <section aria-labelledby="clip-out">
        <h2 id="clip-out" className="mb-2 text-14 font-semibold">
          {t('screenOut')}
        </h2>
        <p className="min-h-20 rounded-control border border-line bg-sunken px-3 py-2 text-14 whitespace-pre-wrap [overflow-wrap:anywhere]" aria-live="polite">
          {taken?.text || <span className="text-fg-3">{t(taken ? 'screenTookNone' : 'screenOutHint')}</span>}
        </p>
        <div className="mt-2 flex flex-wrap items-center gap-2">
          <span className="mr-auto text-12 text-fg-3">
            {taken?.text ? t('screenTook', { time: displayTime(new Date(taken.at).toISOString()).slice(11) }) : ''}
          </span>
          <Button size="sm" variant="secondary" onClick={() => link.send({ do: 'take' })}>
            {t('screenTake')}
          </Button>
          {taken?.text ? <CopyButton text={taken.text} /> : null}
        </div>
      </section>
      <section aria-labelledby="clip-erase" className="mt-auto border-t border-dashed border-line pt-4">
        <h2 id="clip-erase" className="text-14 font-semibold">
          {t('screenErase')}
        </h2>
        <p className="mt-1 mb-3 text-13 text-fg-2">{t('screenEraseAbout')}</p>
        {session ? <ReceiptRow label={t('screenCost')} value={session.isFree ? t('screenCostFree') : displayUsd(session.amount)} /> : null}
        <ReceiptRow label={t('screenFrames')} value={t('screenFps', { width: size.width, height: size.height, fps })} />
        <ReceiptRow label={t('screenDelay')} value={delay === undefined ? '…' : `${delay} ms`} />
      </section>
    </aside>
  )
}
