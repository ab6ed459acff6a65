import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeHtml, Html, html } from './html.ts';

test('inserted text is escaped, in content and in attributes', () => {
  const evil = `"><script>alert('x')</script>&amp;`;
  assert.equal(
    String(html`<a title="${evil}">${evil}</a>`),
    '<a title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;">' +
      '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;</a>',
  );
  assert.equal(escapeHtml(evil), '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;');
});

test('templates nest, lists are joined, nullish values print nothing, and 0 is something', () => {
  const items = ['a', '<b>', html`<i>c</i>`].map((item) => html`<li>${item}</li>`);
  assert.equal(
    String(html`<ul>${items}</ul>${null}${undefined}${false}${''}${0}${[]}`),
    '<ul><li>a</li><li>&lt;b&gt;</li><li><i>c</i></li></ul>0',
  );
  assert.equal(String(html`${new Html('<hr>')}`), '<hr>');
});
