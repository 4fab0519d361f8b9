import { useLang, useTexts } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { helpTexts } from '../../../help-texts.ts'
import { FlowArrow, FlowFrame, FlowNode, FlowRow } from './flow.tsx'
import { chooseBrand } from '#platform/shared/languages.ts'

/** Figure: one key, three request formats, three vendors. */
export function RequestFlow() {
  const t = useTexts(helpTexts)
  const brand = chooseBrand(useLang(), site)
  return (
    <FlowFrame caption={t('fig_flow_caption')}>
      <FlowRow>
        <div className="flex flex-1 flex-col justify-center">
          <FlowNode title={t('fig_flow_you')} note={t('fig_flow_you_note')} />
        </div>
        <div className="flex items-center justify-center">
          <FlowArrow label={t('fig_flow_key')} />
        </div>
        <div className="flex flex-1 flex-col justify-center">
          <FlowNode look="ink" title={brand} note={t('fig_flow_us_note')} />
        </div>
        <div className="flex items-center justify-center">
          <FlowArrow label={t('fig_flow_as_is')} />
        </div>
        <div className="flex flex-1 flex-col gap-2">
          <FlowNode title="OpenAI" note="/v1/chat/completions" />
          <FlowNode title="Anthropic" note="/v1/messages" />
          <FlowNode title="Google" note="/v1beta/models" />
        </div>
      </FlowRow>
    </FlowFrame>
  )
}
