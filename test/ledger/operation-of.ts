/** As SQL: the operation that has made the entry `e` of a caller, by the claim of its key where several make such entries. */
export const operationOf = `coalesce((
    select o.operation from operation_claims o
    join (values ('earn', 'loadValue'), ('earn', 'issueInstance'), ('earn', 'issueBatch'), ('redeem', 'chargeValue'), ('reversal', 'refundValue'), ('correction', 'transferValue'))
      as moves(kind, operation) on moves.kind = e.kind and moves.operation = o.operation
    where o.workspace_id = e.workspace_id and o.key = e.external_ref
    limit 1
  ), case e.kind when 'earn' then 'earnPoints' when 'redeem' then 'redeemReward' when 'adjust' then 'adjustPoints'
    when 'correction' then 'adjustPoints' else 'reverseEntry' end)`;
