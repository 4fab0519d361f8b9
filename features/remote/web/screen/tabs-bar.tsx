import { ArrowLeft, ArrowRight, Plus, RotateCw, X } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import type { RemoteTab } from '../../wire.ts'
import { remoteTexts } from '../../texts.ts'
import type { RemoteLinkView } from './use-link.ts'

/** Our own tabs and address bar, as the remote browser has no window. */
export function TabsBar({ link }: { readonly link: RemoteLinkView }) {
  const t = useTexts(remoteTexts)
  const { tabs, isLoading } = link.state
  const active = tabs.find(({ isActive }) => isActive)
  return (
    <div className="shrink-0 border-b border-line bg-sunken">
      <ul aria-label={t('screenTabs')} className="flex items-end gap-1 overflow-x-auto px-2 pt-1.5">
        {tabs.map((tab) => (
          <TabItem key={tab.id} tab={tab} link={link} canClose={tabs.length > 1} />
        ))}
        <li>
          <IconButton label={t('screenNewTab')} onPress={() => link.send({ do: 'newTab' })}>
            <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        </li>
      </ul>
      <div className="flex items-center gap-1 bg-surface px-2 py-1.5">
        <IconButton label={t('screenBack')} onPress={() => link.send({ do: 'back' })}>
          <ArrowLeft size={16} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
        <IconButton label={t('screenForward')} onPress={() => link.send({ do: 'forward' })}>
          <ArrowRight size={16} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
        <IconButton label={t('screenReload')} onPress={() => link.send({ do: 'reload' })}>
          {isLoading ? <span className="spinner" aria-hidden="true" /> : <RotateCw size={16} strokeWidth={1.75} aria-hidden="true" />}
        </IconButton>
        <Address key={active ? `${active.id} ${active.url}` : ''} url={active?.url ?? ''} link={link} />
      </div>
    </div>
  )
}

function TabItem({ tab, link, canClose }: { readonly tab: RemoteTab; readonly link: RemoteLinkView; readonly canClose: boolean }) {
  const t = useTexts(remoteTexts)
  const name = tab.title && tab.title !== 'about:blank' ? tab.title : tab.url || t('screenNewTabName')
  return (
    <li className={`flex max-w-[220px] min-w-[120px] items-center rounded-t-control ${tab.isActive ? 'bg-surface' : 'hover:bg-line'}`}>
      <button
        type="button"
        aria-current={tab.isActive ? 'page' : undefined}
        onClick={() => link.send({ do: 'tab', id: tab.id })}
        className="min-h-9 mobile:min-h-11 min-w-0 flex-1 truncate px-3 text-left text-13 font-medium"
      >
        {name}
      </button>
      {canClose ? (
        <button
          type="button"
          aria-label={t('screenCloseTab', { name })}
          onClick={() => link.send({ do: 'closeTab', id: tab.id })}
          className="mr-1 inline-flex size-6 mobile:size-11 shrink-0 items-center justify-center rounded-control text-fg-2 hover:bg-sunken"
        >
          <X size={14} strokeWidth={1.75} aria-hidden="true" />
        </button>
      ) : null}
    </li>
  )
}

function Address({ url, link }: { readonly url: string; readonly link: RemoteLinkView }) {
  const t = useTexts(remoteTexts)
  const [typed, setTyped] = useState(url)
  return (
    <form
      className="min-w-0 flex-1"
      onSubmit={(event) => {
        event.preventDefault()
        if (typed.trim()) link.send({ do: 'go', address: typed.trim() })
      }}
    >
      <input
        aria-label={t('screenAddress')}
        placeholder={t('screenAddressHint')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => event.target.select()}
        inputMode="url"
        autoCapitalize="off"
        autoCorrect="off"
        autoComplete="off"
        spellCheck={false}
        className="h-9 mobile:h-11 w-full rounded-full border border-transparent bg-sunken px-4 text-14 text-fg placeholder:text-fg-3 mobile:text-16"
      />
    </form>
  )
}

function IconButton({ label, onPress, children }: { readonly label: string; readonly onPress: () => void; readonly children: ReactNode }) {
  return (
    <button type="button" aria-label={label} title={label} onClick={onPress} className="icon-btn !size-9 mobile:!size-11 shrink-0">
      {children}
    </button>
  )
}
