import type { Words } from './words.ts';

export const ja: Words = {
  join: {
    get: {
      card: 'カードを受け取る',
      coupon: 'クーポンを受け取る',
      ticket: 'チケットを受け取る',
      giftCard: 'ギフトカードを受け取る',
    },
    lead: '入力するだけで、いつでもスマートフォンで使えます。アプリもアカウントも不要です。',
    leadBare: 'ワンタップでスマートフォンに。アプリもアカウントも不要です。',
    name: 'お名前',
    email: 'メールアドレス',
    phone: '電話番号',
    optional: '任意',
    wait: '少々お待ちください…',
    privacy: 'ここに入力した内容は{shop}に送信されます。',
    sentTitle: 'メールをご確認ください',
    sentText: '{email}にメールをお送りしています。メール内のボタンから開いてください。',
    sentHint: '届かない場合は、迷惑メールフォルダを確認するか、戻ってアドレスをお確かめください。',
    proveTitle: 'あと一歩です',
    proveText: 'ボタンを押すと{email}が確認され、スマートフォンに追加できます。',
    prove: '確認して開く',
    subject: '{title}：メールアドレスの確認',
    hello: '{name}様',
    helloNobody: 'こんにちは。',
    asked:
      'このメールアドレスで{shop}の「{title}」が申し込まれました。ご本人の場合はボタンを押してください。すでにお持ちの場合は、お持ちのものが開きます。',
    notYou:
      'お心当たりがない場合は、何もする必要はありません。このボタンを押さないかぎり、あなたのアドレスで誰かが受け取ることはありません。',
    once: 'ボタンは24時間以内に一度だけ使えます。',
    scan: 'スマートフォンのカメラで読み取ってください',
    ways: 'Apple\u00a0Wallet、Google\u00a0Wallet、またはブラウザで。',
  },
};
