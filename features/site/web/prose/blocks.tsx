import { Hourglass, Info, TriangleAlert, Link as LinkIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { helpTexts } from '../../help-texts.ts'
import { toPlainText } from '../../help/blocks.ts'
import type { ProseBlock, NoteKind } from '../../help/blocks.ts'
import { fillFacts } from './facts.ts'
import type { ProseFacts } from './facts.ts'
import { Inlines } from './inlines.tsx'
import type { TextKeyOf } from '#platform/shared/texts.ts'

interface HeadingProps {
  readonly level: 2 | 3
  readonly id: string
  readonly text: string
}

/** The mark beside a heading links to it: a click changes the address bar, from which it can be copied. */
function Heading({ level, id, text }: HeadingProps) {
  const t = useTexts(helpTexts)
  const Tag = level === 2 ? 'h2' : 'h3'
  return (
    <Tag id={id} tabIndex={-1} className="group">
      {text}
      <a
        href={`#${id}`}
        aria-label={t('anchor', { heading: text })}
        className="ml-1.5 inline-flex size-6 items-center justify-center rounded-tag align-middle text-fg-3 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 mobile:hidden no-print"
      >
        <LinkIcon size={15} strokeWidth={1.75} aria-hidden="true" />
      </a>
    </Tag>
  )
}

const NOTE_TEXT = { note: 'note_note', soon: 'note_soon', warn: 'note_warn' } as const satisfies Record<NoteKind, TextKeyOf<typeof helpTexts>>

type BlockOf<K extends ProseBlock['kind']> = Extract<ProseBlock, { kind: K }>
/** Blocks of help articles only: samples, figures, receipts. */
export type SpecialBlock = BlockOf<'samples' | 'figure' | 'receipt' | 'topup'>
export type DrawSpecial = (block: SpecialBlock, facts: ProseFacts) => ReactNode

interface BlocksProps {
  readonly blocks: readonly ProseBlock[]
  readonly facts: ProseFacts
  readonly special?: DrawSpecial
}

/** Renders prose. Terms and privacy omit `special`, so that they load none of its code. */
export function Blocks({ blocks, facts, special }: BlocksProps): ReactNode {
  return blocks.map((block, at) => <SingleBlock key={at} block={block} facts={facts} special={special} />)
}

interface SharedProps {
  readonly facts: ProseFacts
  readonly special: DrawSpecial | undefined
}

function SingleBlock({ block, facts, special }: SharedProps & { readonly block: ProseBlock }) {
  switch (block.kind) {
    case 'heading':
      return <Heading level={block.level} id={block.id} text={fillFacts(block.text, facts)} />
    case 'paragraph':
      return (
        <p>
          <Inlines inlines={block.inlines} facts={facts} />
        </p>
      )
    case 'list':
      return <List ordered={block.ordered} items={block.items} facts={facts} special={special} />
    case 'note':
      return <Note kind={block.note} blocks={block.blocks} facts={facts} special={special} />
    case 'table':
      return <Table head={block.head} rows={block.rows} facts={facts} />
    default:
      return special?.(block, facts) ?? null
  }
}

function List({ ordered, items, facts, special }: Pick<BlockOf<'list'>, 'ordered' | 'items'> & SharedProps) {
  const rows = items.map((item, at) => (
    <li key={at}>
      <Blocks blocks={item} facts={facts} special={special} />
    </li>
  ))
  return ordered ? <ol>{rows}</ol> : <ul>{rows}</ul>
}

const NOTES: Readonly<Record<NoteKind, { readonly icon: typeof Info; readonly look: string }>> = {
  note: { icon: Info, look: 'border-l-info text-info' },
  warn: { icon: TriangleAlert, look: 'border-l-warning text-warning' },
  soon: { icon: Hourglass, look: 'border-l-control text-fg-2' },
}

function Note({ kind, blocks, facts, special }: SharedProps & { readonly kind: NoteKind; readonly blocks: readonly ProseBlock[] }) {
  const t = useTexts(helpTexts)
  const { icon: Icon, look } = NOTES[kind]
  const [edge, tint] = look.split(' ')
  return (
    <div role="note" className={`note border-l-[3px] ${edge}`}>
      <p className={`flex items-center gap-2 text-14 font-semibold ${tint}`}>
        <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
        {t(NOTE_TEXT[kind])}
      </p>
      <Blocks blocks={blocks} facts={facts} special={special} />
    </div>
  )
}

/** At 720 px and below each row is a card with the column titles beside its values; the roles survive the change of display. */
function Table({ head, rows, facts }: Pick<BlockOf<'table'>, 'head' | 'rows'> & { readonly facts: ProseFacts }) {
  return (
    <div className="prose-table">
      <table role="table">
        <thead role="rowgroup">
          <tr role="row">
            {head.map((cell, at) => (
              <th key={at} role="columnheader" scope="col">
                <Inlines inlines={cell} facts={facts} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row, at) => (
            <tr key={at} role="row">
              {row.map((cell, column) => (
                <td key={column} role="cell" data-label={fillFacts(toPlainText(head[column]!), facts)}>
                  <span>
                    <Inlines inlines={cell} facts={facts} />
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
