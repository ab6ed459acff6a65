-- People are found by any word of their name, and by the last digits of their number: names are indexed from their second and third
-- word on, and by the last where there are more.

create index holders_found_by_name_from_2 on holders
  ((left(workspace_id::text, 13) || substr(folded_name, strpos(folded_name, ' ') + 1)) collate "C", instance_id)
  where folded_name like '% %';
create index holders_found_by_name_from_3 on holders
  ((left(workspace_id::text, 13) || substr(
    folded_name, length(split_part(folded_name, ' ', 1)) + length(split_part(folded_name, ' ', 2)) + 3)) collate "C", instance_id)
  where folded_name like '% % %';
create index holders_found_by_last_word on holders
  ((left(workspace_id::text, 13) || split_part(folded_name, ' ', -1)) collate "C", instance_id)
  where folded_name like '% % % %';
create index holders_found_by_last_digits on holders
  ((left(workspace_id::text, 13) || reverse(folded_phone)) collate "C", instance_id) where folded_phone is not null;
