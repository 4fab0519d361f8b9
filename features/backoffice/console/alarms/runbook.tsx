import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { panelTexts } from './texts.ts'

/** Each page is a file of its own, loaded when its alarm is opened. */
const pages = import.meta.glob<string>('../../../../docs/runbooks/*.md', { query: '?raw', import: 'default' })

/** What to do about an alarm: the page of docs/runbooks itself. */
export function Runbook({ name }: { readonly name: string }) {
  const t = useTexts(panelTexts)
  const load = pages[`../../../../docs/runbooks/${name}.md`]
  const { data, isError } = useQuery({ queryKey: ['runbook', name], queryFn: () => load!(), enabled: load !== undefined, staleTime: Number.POSITIVE_INFINITY })
  const path = `docs/runbooks/${name}.md`
  return (
    <section aria-label={t('runbook')} className="rounded-control bg-sunken px-4 py-3 text-13" lang="en">
      <p className="mb-1 flex items-center gap-2 text-12 text-fg-3">
        <span className="num">{path}</span>
        <CopyButton text={path} iconOnly />
      </p>
      {data === undefined ? isError || !load ? <p className="text-fg-2">{t('runbookMissing')}</p> : <SkeletonRows rows={3} /> : <Lines text={data} />}
    </section>
  )
}

/** Headings, numbered steps and paragraphs; `code` and links as text. More the pages do not use. */
function Lines({ text }: { readonly text: string }) {
  const blocks = text.trim().split(/\n{2,}/)
  return (
    <div className="grid gap-2">
      {blocks.map((block, at) => {
        if (block.startsWith('#'))
          return (
            <h4 key={at} className="font-semibold">
              <Inline text={block.replace(/^#+ /, '')} />
            </h4>
          )
        if (/^\d+\. /.test(block))
          return (
            <ol key={at} className="grid list-decimal gap-1 pl-5">
              {block.split(/\n(?=\d+\. )/).map((line) => (
                <li key={line}>
                  <Inline text={line.replace(/^\d+\. /, '')} />
                </li>
              ))}
            </ol>
          )
        return (
          <p key={at}>
            <Inline text={block} />
          </p>
        )
      })}
    </div>
  )
}

function Inline({ text }: { readonly text: string }) {
  const pieces = text
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('**', '')
    .split('`')
  return pieces.map((piece, at) =>
    at % 2 ? (
      <code key={at} className="num rounded-tag bg-surface px-1 text-12 [overflow-wrap:anywhere]">
        {piece}
      </code>
    ) : (
      <Fragment key={at}>{piece}</Fragment>
    ),
  )
}
