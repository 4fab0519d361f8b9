import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { parseRunbook } from '../../runbook-blocks.ts'
import type { RunbookBlock } from '../../runbook-blocks.ts'
import { panelTexts } from './texts.ts'

/** Each runbook is its own chunk, loaded when its alarm is expanded. */
const pages = import.meta.glob<string>('../../../../docs/runbooks/{*,zh/*}.md', { query: '?raw', import: 'default' })

/** Runbook of an alarm: the page of docs/runbooks in the operator's language. */
export function Runbook({ name }: { readonly name: string }) {
  const t = useTexts(panelTexts)
  const lang = useLang()
  const path = `docs/runbooks/${lang === 'zh' ? 'zh/' : ''}${name}.md`
  const load = pages[`../../../../${path}`]
  const { data, isError } = useQuery({ queryKey: ['runbook', path], queryFn: () => load!(), enabled: load !== undefined, staleTime: Number.POSITIVE_INFINITY })
  return (
    <div role="group" aria-label={t('runbook')} className="rounded-control bg-sunken px-4 py-3 text-13">
      <p className="mb-1 flex items-center gap-2 text-12 text-fg-3">
        <span className="num">{path}</span>
        <CopyButton text={path} iconOnly />
      </p>
      {data === undefined ? isError || !load ? <p className="text-fg-2">{t('runbookMissing')}</p> : <SkeletonRows rows={3} /> : <Page text={data} />}
    </div>
  )
}

function Page({ text }: { readonly text: string }) {
  return (
    <div className="grid grid-cols-1 gap-2">
      {parseRunbook(text).map((block, at) => (
        <Part key={at} block={block} />
      ))}
    </div>
  )
}

function Part({ block }: { readonly block: RunbookBlock }) {
  if (block.kind === 'table') return <Table block={block} />
  if ('items' in block) {
    const List = block.kind === 'steps' ? 'ol' : 'ul'
    return (
      <List className={`grid gap-1 pl-5 ${block.kind === 'steps' ? 'list-decimal' : 'list-disc'}`}>
        {block.items.map((item) => (
          <li key={item} className="whitespace-pre-line">
            <Inline text={item} />
          </li>
        ))}
      </List>
    )
  }
  const Text = block.kind === 'heading' ? 'h3' : 'p'
  return (
    <Text className={block.kind === 'heading' ? 'font-semibold' : ''}>
      <Inline text={block.text} />
    </Text>
  )
}

function Table({ block: { head, rows } }: { readonly block: Extract<RunbookBlock, { kind: 'table' }> }) {
  return (
    <table className="w-full text-left align-top text-12 [overflow-wrap:anywhere]">
      <thead>
        <tr className="text-fg-3">
          {head.map((cell) => (
            <th key={cell} scope="col" className="pr-3 pb-1 font-normal">
              <Inline text={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr key={cells[0]} className="border-t border-line align-top">
            {cells.map((cell, at) => (
              <td key={at} className="py-1 pr-3">
                <Inline text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Inline({ text }: { readonly text: string }) {
  const pieces = text
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/(^|[\s(])\*{1,2}([^\s*][^*\n]*)\*{1,2}/g, '$1$2')
    .split('`')
  return pieces.map((piece, at) =>
    at % 2 ? (
      <code key={at} className="num rounded-tag bg-surface px-1 text-12 [overflow-wrap:anywhere] whitespace-normal">
        {piece}
      </code>
    ) : (
      <Fragment key={at}>{piece}</Fragment>
    ),
  )
}
