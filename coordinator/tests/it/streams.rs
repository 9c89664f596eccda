//! The two watches: from a place on, then live, ended by the coordinator's end, resumed where they were.

use crate::support::{Run, play};
use proto::v1;

#[tokio::test]
async fn accepted_shards_are_told_from_any_place_and_then_live() {
    let run = Run::create();
    let mut running = run.start().await;
    running.register(&run.checkpoint(0)).await.unwrap();
    let mut commits = Vec::new();
    for request in 1..=2 {
        let job = running.job("w", request).await;
        commits.push(play(&run, "w", &job));
        running.commit(&commits[commits.len() - 1]).await.unwrap();
    }
    let from_second = v1::WatchAcceptedRequest { from_sequence: 2 };
    let mut watch = running.client.watch_accepted(from_second).await.unwrap().into_inner();
    let item = watch.message().await.unwrap().unwrap();
    assert_eq!((item.sequence, &item.training_manifest), (2, &commits[1].training_manifest));

    let job = running.job("w", 3).await;
    let third = play(&run, "w", &job);
    running.commit(&third).await.unwrap();
    let item = watch.message().await.unwrap().unwrap();
    assert_eq!((item.sequence, &item.training_manifest), (3, &third.training_manifest));
    // The coordinator ends although a stream is open.
    running.end().await;
    assert!(!matches!(watch.message().await, Ok(Some(_))));

    let mut running = run.start().await;
    let from_start = v1::WatchAcceptedRequest { from_sequence: 0 };
    let mut watch = running.client.watch_accepted(from_start).await.unwrap().into_inner();
    for sequence in 1..=3 {
        assert_eq!(watch.message().await.unwrap().unwrap().sequence, sequence);
    }
    running.end().await;
}

#[tokio::test]
async fn checkpoints_are_told_as_they_come() {
    let run = Run::create();
    let mut running = run.start().await;
    let all = v1::WatchCheckpointsRequest { from_generation: 0 };
    let mut watch = running.client.watch_checkpoints(all).await.unwrap().into_inner();
    for generation in 0..3 {
        running.register(&run.checkpoint(generation)).await.unwrap();
        let told = watch.message().await.unwrap().unwrap();
        assert_eq!((told.generation, told.promoted), (generation, true));
        assert!(!told.decision.is_empty());
    }
    drop(watch);
    running.end().await;
}
